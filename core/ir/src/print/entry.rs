//! Entry points: how work-items take their share of the domain.

use super::body::{Body, Checks, function_text};
use super::prelude::Prelude;
use super::{Dialect, Facts, Layout, Options, Slot, names, slots};
use crate::{Kernel, Type};
use std::fmt::Write;

/// The text of a kernel with the entry point `name`, and the function `map` if it is one.
pub(super) fn text(
    kernel: &Kernel,
    dialect: &Dialect,
    facts: &Facts,
    options: &Options,
    [name, map]: [&str; 2],
    prelude: &mut Prelude,
) -> String {
    let slots = slots(kernel, options);
    let params: Vec<_> =
        slots.iter().map(|slot| declaration(kernel, *slot, options.narrow)).collect();
    let params = params.join(",\n    ");
    if kernel.result.is_some() {
        let function = function_text(kernel, map, prelude);
        let body = map_loop(kernel, facts, options.layout, map, prelude);
        return format!("{function}kernel {name}(\n    {params}\n) {{\n{body}}}\n");
    }
    let mut head = String::new();
    for slot in &slots {
        if let Slot::Offset { param } = slot {
            let name = names::param(kernel, *param);
            let _ = writeln!(head, "    {name} += k_offset{param};");
        }
        if let (true, Some(name)) = (options.narrow, index_name(kernel, *slot)) {
            let _ = writeln!(head, "    u32 {name} = (u32){};", wide(&name));
        }
    }
    match kernel.group {
        None => {
            let body = grid(kernel, facts, options, prelude);
            format!("kernel {name}(\n    {params}\n) {{\n{head}{body}}}\n")
        }
        Some(size) => {
            let body = group(kernel, size, options, prelude);
            let [x, y, z] = size.map(|n| n.to_string());
            let entry = dialect.group.replace("$X", &x).replace("$Y", &y).replace("$Z", &z);
            let entry = entry.replace("$N", &kernel.group_size().to_string());
            format!("{entry} {name}(\n    {params}\n) {{\n{head}{body}}}\n")
        }
    }
}

/// The name under which the statements use a slot of type `usize`.
fn index_name(kernel: &Kernel, slot: Slot) -> Option<String> {
    Some(match slot {
        Slot::Scalar { param, ty: Type::Usize } => names::param(kernel, param),
        Slot::Len { param } => format!("k_len{param}"),
        Slot::Dim { param, dim } => format!("k_dim{param}d{dim}"),
        Slot::Stride { param, dim } => format!("k_stride{param}d{dim}"),
        Slot::Extent { dim } => format!("k_extent{dim}"),
        _ => return None,
    })
}

/// The name of the parameter of 64 bits, whose value the statements use under the name in 32.
fn wide(name: &str) -> String {
    format!("k_wide_{name}w")
}

pub(super) fn declaration(kernel: &Kernel, slot: Slot, narrow: bool) -> String {
    if let Some(name) = index_name(kernel, slot) {
        return match narrow {
            true => format!("usize {}", wide(&name)),
            false => format!("usize {name}"),
        };
    }
    match slot {
        Slot::Scalar { param, ty } => {
            let ty = if ty == Type::Bool || ty.is_small() { Type::U32 } else { ty };
            format!("{ty} {}", names::param(kernel, param))
        }
        Slot::Data { param, ty, mutable } | Slot::Start { param, ty, mutable } => {
            let constant = if mutable { "" } else { "const " };
            // The result of a map may be one of its inputs.
            let restrict = if kernel.rank > 0 { "restrict " } else { "" };
            let ty = ty.stored();
            format!("global {constant}{ty}* {restrict}{}", names::param(kernel, param))
        }
        Slot::Offset { param } => format!("usize k_offset{param}"),
        Slot::Step { param, dim } => format!("usize k_step{param}d{dim}"),
        _ => "global u32* k_cell".to_owned(),
    }
}

fn checks(options: &Options) -> Checks {
    if options.checked { Checks::Recorded } else { Checks::None }
}

/// The head of the block that runs for each point that a work-item takes along a dimension: `at`, below
/// `count`.
fn points(facts: &Facts, [at, count]: [&str; 2], dim: usize, indent: usize) -> String {
    let (first, below) = (format!("usize {at} = item{dim};"), format!("{at} < {count}"));
    let margin = " ".repeat(indent);
    match facts.item_per_point {
        true => format!("{margin}{first}\n{margin}if ({below}) {{\n"),
        false => format!("{margin}for ({first} {below}; {at} += items{dim}) {{\n"),
    }
}

fn grid(kernel: &Kernel, facts: &Facts, options: &Options, prelude: &mut Prelude) -> String {
    let mut text = String::new();
    let rank = usize::from(kernel.rank);
    let at = if options.narrow { "k_next" } else { "k_gid" };
    for (depth, d) in (0..rank).rev().enumerate() {
        let indent = 4 * (depth + 1);
        let (at, extent) = (format!("{at}{d}"), format!("k_extent{d}"));
        text.push_str(&points(facts, [&at, &extent], d, indent));
        // The step after the last one may need 64 bits.
        if options.narrow {
            let _ = writeln!(text, "{:indent$}    u32 k_gid{d} = (u32){at};", "");
        }
    }
    text.push_str(&Body::new(kernel, checks(options), options.narrow, prelude).text(rank + 1));
    for depth in (1..=rank).rev() {
        let _ = writeln!(text, "{:1$}}}", "", 4 * depth);
    }
    text
}

/// The statements of one work-item of a group.
fn group(kernel: &Kernel, [x, y, _]: [u32; 3], options: &Options, prelude: &mut Prelude) -> String {
    let index = if options.narrow { Type::U32 } else { Type::Usize };
    let mut text = String::new();
    for d in 0..3 {
        let _ = writeln!(text, "    {index} k_lid{d} = lane{d};");
    }
    for d in 0..kernel.rank {
        let _ = writeln!(text, "    {index} k_group{d} = group{d};");
    }
    let _ = writeln!(text, "    u32 k_lane = (u32)(k_lid0 + {x}u * (k_lid1 + {y}u * k_lid2));");
    text + &Body::new(kernel, checks(options), options.narrow, prelude).text(1)
}

fn map_loop(
    kernel: &Kernel,
    facts: &Facts,
    layout: Layout,
    function: &str,
    prelude: &mut Prelude,
) -> String {
    let count = kernel.params.len();
    let rank = match layout {
        Layout::Dense { .. } => 1,
        Layout::Strided { rank } => rank,
    };
    let extents: Vec<_> = (0..rank).map(|d| format!("k_extent{d}")).collect();
    let element = |param: usize| {
        let at = match layout {
            Layout::Dense { single } if param < count && single >> param & 1 == 1 => String::new(),
            Layout::Dense { .. } => " + k_at".to_owned(),
            Layout::Strided { rank: 1 } => format!(" + k_at * k_step{param}d0"),
            Layout::Strided { rank } => {
                (0..rank).map(|d| format!(" + k_i{d} * k_step{param}d{d}")).collect()
            }
        };
        format!("{}[k_offset{param}{at}]", names::param(kernel, param))
    };
    let mut convert = |ty: Option<Type>, way: &str, value: String| match ty {
        Some(ty) if ty.is_narrow() => format!("{}({value})", prelude.name(way, ty)),
        _ => value,
    };
    let params = kernel.params.iter().enumerate();
    let inputs: Vec<_> =
        params.map(|(i, p)| convert(Some(p.kind.ty()), "wide", element(i))).collect();
    let result = kernel.result.as_ref().map(|e| e.ty);
    let value = convert(result, "narrow", format!("{function}({})", inputs.join(", ")));
    let mut text = format!("    usize k_count = {};\n", extents.join(" * "));
    text.push_str(&points(facts, ["k_at", "k_count"], 0, 4));
    if rank > 1 {
        text.push_str("        usize k_rest = k_at;\n");
        for d in 0..rank - 1 {
            text.push_str(&format!(
                "        usize k_i{d} = k_rest % k_extent{d};\n        k_rest /= k_extent{d};\n"
            ));
        }
        text.push_str(&format!("        usize k_i{} = k_rest;\n", rank - 1));
    }
    text.push_str(&format!("        {} = {value};\n    }}\n", element(count),));
    text
}
