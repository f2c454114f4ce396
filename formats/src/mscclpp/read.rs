//! From the file to the plan: its head, its buffers, and the cells that chunks are cut in.

use super::blocks::Reader;
use super::schema::{File, Gpu};
use super::text::Text;
use crate::error::ReadError;
use crate::text::{check_length, shown};
use ringwood_base::{Error, Result};
use ringwood_schedule::BufferMode;
use ringwood_schedule::plan::{Buffers, ExecutionPlan, Goal};

const MOST_RANKS: usize = ExecutionPlan::MOST_RANKS;
/// The most cells that a chunk is cut in.
const MOST_CELLS: u32 = 1 << 12;

/// Reads a plan; nothing is checked yet but the file itself.
///
/// # Errors
/// The file is not JSON or too large, is of an older schema, or an operation is unknown, unsupported, or names a channel, buffer, semaphore or rank that does not exist: the
/// error names the line, or GPU, block and operation.
pub fn read(text: &str) -> Result<ExecutionPlan> {
    check_length(text.len())?;
    let lines = Text::new(text)?;
    let file = lines.file()?;
    let mut plan = head(&file, &lines)?;
    plan.ranks = file.gpus.iter().map(|gpu| buffers(&file, &plan, gpu)).collect::<Result<_>>()?;
    let mut reader = Reader::new(&file, &lines, plan)?;
    for gpu in &file.gpus {
        reader.gpu(gpu)?;
    }
    let mut plan = reader.plan;
    lines.ignored.warnings().for_each(|warning| plan.warn(warning));
    Ok(plan)
}

fn head(file: &File<'_>, lines: &Text<'_>) -> Result<ExecutionPlan> {
    let refuse = |why: String| Error::invalid(why);
    if file.gpus.is_empty() || file.gpus.len() > MOST_RANKS {
        let gpus = file.gpus.len();
        return Err(refuse(format!("a plan has 1 to {MOST_RANKS} GPUs, not {gpus}")));
    }
    let protocol = file.protocol.as_str();
    if !["Simple", "LL"].contains(&protocol) {
        return Err(refuse(format!("`protocol` is `{}`, not Simple or LL", shown(protocol))));
    }
    let goal = Goal::named(&file.collective).ok_or_else(|| {
        let name = shown(&file.collective);
        let message = format!("what collective `{name}` leaves in the buffers is not known here");
        Error::unsupported(message)
            .help("known: allreduce, allgather, reducescatter, alltoall, custom, test, sendrecv")
    })?;
    if file.min_message_size > file.max_message_size {
        return Err(refuse("`min_message_size` exceeds `max_message_size`".into()));
    }
    let mode = if file.inplace { BufferMode::InPlace } else { BufferMode::OutOfPlace };
    let bytes = file.min_message_size..=file.max_message_size;
    let mut plan = ExecutionPlan::new(&file.name, goal, vec![mode], bytes);
    protocol.clone_into(&mut plan.protocol);
    plan.cells = cells(file, lines)?;
    Ok(plan)
}

/// The cells of a chunk: the least number that the size of every thread block group divides.
fn cells(file: &File<'_>, lines: &Text<'_>) -> Result<u32> {
    let mut cells = 1_u32;
    let blocks = file.gpus.iter().flat_map(|gpu| &gpu.threadblocks);
    let parts = blocks.flat_map(|block| &block.ops);
    let mut parts: Vec<_> = parts.map(|part| (*part, true)).collect();
    while let Some((part, outer)) = parts.pop() {
        // Operations of no group, which most are, need not be read for this. A key may have escapes.
        if !part.get().contains("tbg_info") && !part.get().contains('\\') {
            continue;
        }
        let op = lines.operation(part)?;
        // Pipelines within pipelines are refused, so what is in them is not looked at.
        parts.extend(op.ops.iter().filter(|_| outer).map(|part| (*part, false)));
        let Some(size) = op.tbg_info.map(|part| part.tbg_size) else { continue };
        cells = (cells / gcd(cells, size)).saturating_mul(size);
        if cells == 0 || cells > MOST_CELLS {
            let message = format!("a thread block group of {size} cuts chunks in {cells} cells");
            return Err(Error::unsupported(message)
                .help(format!("the sizes of all groups may need 1 to {MOST_CELLS} cells")));
        }
    }
    Ok(cells)
}

/// Above 0 if `a` is.
fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn buffers(file: &File<'_>, plan: &ExecutionPlan, gpu: &Gpu<'_>) -> Result<Buffers> {
    let refuse = |why: String| Error::from(ReadError::Gpu { gpu: gpu.id, why });
    let cells = |chunks: u32, what: &str| {
        let cells = chunks.checked_mul(plan.cells).filter(|c| *c <= 1 << 30);
        cells.ok_or_else(|| refuse(format!("{chunks} {what} chunks are too many")))
    };
    let input = cells(gpu.input_chunks, "input")?;
    let output = cells(gpu.output_chunks, "output")?;
    let scratch = cells(gpu.scratch_chunks, "scratch")?;
    let ranks = file.gpus.len() as u32;
    if plan.goal == Goal::Unstated {
        return Ok(Buffers { input, output, scratch });
    }
    let first = &file.gpus[0];
    let whole = cells(first.input_chunks.max(first.output_chunks), "")?;
    let due = plan.goal.sizes(ranks, whole).map_err(|e| refuse(e.message().to_owned()))?;
    let fits = |has: u32, due: u32| has == due || file.inplace && has == 0;
    if whole == 0 || !fits(input, due.input) || !fits(output, due.output) {
        return Err(refuse(format!(
            "{} input and {} output chunks are not those of {} among {ranks} GPUs",
            gpu.input_chunks, gpu.output_chunks, file.collective,
        )));
    }
    Ok(Buffers { scratch, ..due })
}
