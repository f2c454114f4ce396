//! Which algorithm runs a call: the cheapest by the cost model among those that can.
//!
//! A choice is a pure function of what all ranks of a group share, so every rank makes the same one, and large groups
//! of processes make each once.

mod appraise;
mod explain;
mod order;
mod shared;

pub use appraise::predict;
pub use explain::{Candidate, Explanation, Refusal, explain};
pub use shared::Answers;

use super::{Collective, CollectiveDef, CostModel, Order, Request};
use crate::{Capabilities, Params};
use appraise::{Call, Refused, check_name};
use ringwood_base::registry::Registry;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result, Shared, counted};
use shared::choose_together;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// What a group chooses by.
#[derive(Clone, Debug)]
pub struct Setting {
    /// What steps cost between its ranks.
    pub model: Arc<CostModel>,
    /// What its transport can do, beside messages.
    pub capabilities: Capabilities,
    /// The order in which contributions must be merged; any, if `None`.
    pub order: Option<Order>,
}

impl Setting {
    /// Any order, over a transport that can do `capabilities`.
    pub fn new(model: impl Into<Arc<CostModel>>, capabilities: Capabilities) -> Self {
        Self { model: model.into(), capabilities, order: None }
    }
}

/// The choices of a group, each made once and shared by its ranks in this process.
pub struct Selector {
    setting: Setting,
    answers: Option<Answers>,
    chosen: Mutex<HashMap<Question, Answer>>,
}

/// What a call leaves to choose.
#[derive(Clone, PartialEq, Eq, Hash, serde::Serialize)]
struct Question {
    algorithm: Option<String>,
    order: Option<Order>,
    request: Request,
}

type Answer = Arc<OnceLock<Result<Shared<dyn Collective>>>>;

const REMEMBERED: usize = 4096;

impl Selector {
    /// Choices under `setting`; nothing is chosen yet.
    pub fn new(setting: Setting) -> Self {
        Self { setting, answers: None, chosen: Mutex::default() }
    }

    /// What it chooses by.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// The choices by another model.
    pub fn with_model(self, model: CostModel) -> Self {
        Self::new(Setting { model: Arc::new(model), ..self.setting })
    }

    /// The same choices, where the group is large shared with its other processes through `answers`: with
    /// what they find goes its proof, which is believed for the lanes that are the same here.
    pub fn sharing(self, answers: Option<Answers>) -> Self {
        Self { answers, ..self }
    }

    /// The algorithm for a call: the one called `name`, or else the cheapest that computes the
    /// operation, works for this request over the group's transport, merges in the order that the
    /// call or else the group fixes, and that the verifier proves.
    ///
    /// # Errors
    /// No such algorithm, or the one called `name` does not fit: the error says why for each.
    pub fn select(
        &self,
        registry: &Registry,
        name: Option<&str>,
        order: Option<Order>,
        request: &Request,
    ) -> Result<Shared<dyn Collective>> {
        let order = order.or(self.setting.order);
        let algorithm = name.map(str::to_owned);
        let question = Question { algorithm, order, request: request.clone() };
        let answer = {
            let mut chosen = lock(&self.chosen);
            if chosen.len() >= REMEMBERED {
                chosen.clear();
            }
            Arc::clone(chosen.entry(question.clone()).or_default())
        };
        let setting = || Setting { order, ..self.setting.clone() };
        let find = || match &self.answers {
            Some(answers) if request.ranks > shared::ALONE => {
                choose_together(answers, registry, &question, &setting())
            }
            _ => choose(registry, name, request, &setting()),
        };
        answer.get_or_init(find).clone()
    }
}

/// What [`Selector::select`] answers the first time.
pub fn choose(
    registry: &Registry,
    name: Option<&str>,
    request: &Request,
    setting: &Setting,
) -> Result<Shared<dyn Collective>> {
    order::check(setting.order)?;
    let call = Call { registry, request, setting };
    if let Some(name) = name {
        let entry = registry.entry::<CollectiveDef>(name)?;
        let def = registry.find::<CollectiveDef>(name)?;
        check_name(def.called(entry)?, entry.meta().name, request)?;
        let collective = def.collective.clone();
        call.prove(&*collective, &Params::resolved(&*collective, request)?)?;
        return Ok(collective);
    }
    let (usable, refused) = call.usable(false);
    let first = usable.into_iter().next();
    first.map(|(offer, _)| offer.collective).ok_or_else(|| none(request, setting, &refused))
}

fn none(request: &Request, setting: &Setting, refused: &[Refused]) -> Error {
    let why = match refused {
        [] => "none is registered".to_owned(),
        _ => refused.iter().map(|(_, e)| e.message().to_owned()).collect::<Vec<_>>().join("; "),
    };
    let order = setting.order.map_or(String::new(), |order| format!(" in order {order}"));
    let (operation, ranks) = (request.what.operation, counted(request.ranks, "rank"));
    Error::not_found(format!("no collective for {operation}{order} among {ranks}: {why}"))
}

#[cfg(test)]
mod tests;
