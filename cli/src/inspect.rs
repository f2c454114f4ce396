//! `ringwood inspect`: what a file of a model or of tensors holds.

use super::output::{Output, Table, counted, on_screen};
use crate::{Error, Result};
use clap::Args;
use ringwood_models::{self as models, Described, Summary};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
#[command(after_help = "Examples:\n  ringwood inspect model.onnx\n  \
    ringwood inspect weights.safetensors --all\n  ringwood inspect model.onnx --json\n  \
    ringwood inspect model.ringwood --verify")]
pub(super) struct InspectArgs {
    /// The file: .onnx, .ringwood, .npy, .npz, .safetensors, .params of TVM, or a graph as .json.
    file: PathBuf,
    /// List everything, and not the first of many.
    #[arg(long)]
    all: bool,
    /// Read every part of a package, and check it.
    #[arg(long)]
    verify: bool,
}

/// Rows of a table before `and N more`.
const MOST: usize = 20;

#[derive(Serialize)]
struct Report {
    file: String,
    #[serde(flatten)]
    summary: Summary,
    /// The bytes of all tensors whose bytes are known.
    tensor_bytes: usize,
    #[serde(skip)]
    most: usize,
}

pub(super) fn run(args: &InspectArgs, output: &Output) -> Result<ExitCode> {
    let summary = models::inspect(&args.file)?;
    if args.verify && summary.parts.is_empty() {
        let message = format!("{}: it has no checksums", summary.format);
        return Err(Error::unsupported(message).help("leave out `--verify`"));
    }
    if args.verify {
        models::package::verify(&args.file)?;
    }
    let tensor_bytes = summary.tensors.iter().filter_map(|tensor| tensor.bytes).sum();
    let (file, most) = (args.file.display().to_string(), if args.all { usize::MAX } else { MOST });
    output.result(&Report { file, summary, tensor_bytes, most })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { format, facts, inputs, outputs, tensors, operators, parts } = &self.summary;
        f.write_str(&on_screen(&format!("{}: {format}", self.file)))?;
        let mut table = Table::default();
        facts.iter().for_each(|(name, fact)| table.row([(*name).to_owned(), fact.clone()]));
        table.fmt(f)?;
        self.values(f, "input", inputs)?;
        self.values(f, "output", outputs)?;
        if !tensors.is_empty() {
            let count = counted(tensors.len(), "tensor");
            writeln!(f, "\n{count}, {}", counted(self.tensor_bytes, "byte"))?;
        }
        self.values(f, "tensor", tensors)?;
        let rows =
            operators.iter().map(|o| [o.set.clone(), o.operator.clone(), o.nodes.to_string()]);
        if !operators.is_empty() {
            let nodes = operators.iter().map(|o| o.nodes).sum();
            writeln!(
                f,
                "\n{} of {}",
                counted(nodes, "node"),
                counted(operators.len(), "operator")
            )?;
        }
        self.section(f, ["set", "operator", "nodes"], rows)?;
        let rows = parts.iter().map(|p| [p.name.clone(), p.bytes.to_string(), p.checksum.clone()]);
        self.section(f, ["part", "bytes", "checksum"], rows)
    }
}

impl Report {
    fn values(&self, f: &mut fmt::Formatter<'_>, noun: &str, values: &[Described]) -> fmt::Result {
        let row = |value: &Described| {
            let bytes = value.bytes.map_or(String::new(), |bytes| bytes.to_string());
            [value.name.clone(), value.ty.clone(), bytes]
        };
        let bytes = if values.iter().any(|value| value.bytes.is_some()) { "bytes" } else { "" };
        self.section(f, [noun, "type", bytes], values.iter().map(row))
    }

    fn section<const N: usize>(
        &self,
        f: &mut fmt::Formatter<'_>,
        head: [&str; N],
        rows: impl ExactSizeIterator<Item = [String; N]>,
    ) -> fmt::Result {
        let count = rows.len();
        if count == 0 {
            return Ok(());
        }
        let mut table = Table::new(head);
        rows.take(self.most).for_each(|row| table.row(row));
        write!(f, "\n{table}")?;
        match count.saturating_sub(self.most) {
            0 => Ok(()),
            more => writeln!(f, "and {more} more"),
        }
    }
}
