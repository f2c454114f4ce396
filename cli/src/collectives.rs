//! `ringwood collectives`: the registered algorithms.

use super::output::{Output, Table};
use super::simulate::operation;
use crate::Result;
use crate::collective::{CollectiveDef, Descriptor, Operation};
use crate::registry::{EntryMeta, Registry};
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;

#[derive(Serialize)]
struct Listing {
    collectives: Vec<Row>,
    /// Why some cannot say what they are.
    refused: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    meta: EntryMeta<'static>,
    descriptor: Descriptor,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  ringwood collectives\n  ringwood collectives all-reduce --json"
)]
pub(super) struct CollectivesArgs {
    /// Show the algorithms of this operation only, as in `all-reduce`.
    #[arg(value_parser = operation)]
    operation: Option<Operation>,
}

pub(super) fn run(args: &CollectivesArgs, output: &Output) -> Result<ExitCode> {
    let entries = Registry::global()?.of::<CollectiveDef>();
    let (mut collectives, mut refused) = (Vec::new(), Vec::new());
    for (entry, def) in entries {
        match def.describe(entry) {
            Ok(descriptor) => collectives.push(Row { meta: entry.meta(), descriptor }),
            Err(error) => {
                output.note(&error);
                refused.push(error.to_string());
            }
        }
    }
    collectives.retain(|row| args.operation.is_none_or(|it| it == row.descriptor.operation));
    output.result(&Listing { collectives, refused })
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["collective", "operation", "ranks", "declared at"]);
        for Row { meta, descriptor } in &self.collectives {
            table.row([
                meta.name.into(),
                descriptor.operation.to_string(),
                descriptor.constraint.to_string(),
                format!("{}:{}", meta.file, meta.line),
            ]);
        }
        table.fmt(f)
    }
}
