//! `ringwood collectives`: the registered algorithms.

use super::output::{Output, Table};
use crate::Result;
use crate::collective::Descriptor;
use crate::registry::{EntryMeta, Item, Kind, Registry};
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;

#[derive(Serialize)]
struct Listing {
    collectives: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    meta: EntryMeta,
    descriptor: Descriptor,
}

pub(super) fn run(output: &Output) -> Result<ExitCode> {
    let entries = Registry::global()?.of_kind(Kind::Collective);
    let rows = entries.filter_map(|entry| match entry.item {
        Item::Collective(c) => Some(Row { meta: entry.meta, descriptor: c.describe() }),
        _ => None,
    });
    output.result(&Listing { collectives: rows.collect() })
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
