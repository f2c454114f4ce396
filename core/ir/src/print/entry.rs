//! Entry points: how work-items take their share of the domain.

use super::body::Body;
use super::prelude::Prelude;
use super::{Layout, Options, Slot, names, slots};
use crate::{Kernel, Type};

/// The text of a kernel with the entry point `name`, and the function `map` if it is one.
pub(super) fn text(
    kernel: &Kernel,
    options: &Options,
    [name, map]: [&str; 2],
    prelude: &mut Prelude,
) -> String {
    let params: Vec<_> =
        slots(kernel, options).iter().map(|slot| declaration(kernel, *slot)).collect();
    let head = format!("kernel {name}(\n    {}\n) {{\n", params.join(",\n    "));
    match &kernel.result {
        None => head + &grid(kernel, options, prelude) + "}\n",
        Some(_) => {
            let function = map_function(kernel, map, prelude);
            function + &head + &map_loop(kernel, options.layout, map) + "}\n"
        }
    }
}

fn declaration(kernel: &Kernel, slot: Slot) -> String {
    match slot {
        Slot::Scalar { param, ty } => {
            let ty = if ty == Type::Bool { Type::U32 } else { ty };
            format!("{ty} {}", names::param(kernel, param))
        }
        Slot::Data { param, ty, mutable } => {
            let constant = if mutable { "" } else { "const " };
            // The result of a map may be one of its inputs.
            let restrict = if kernel.rank > 0 { "restrict " } else { "" };
            format!("global {constant}{ty}* {restrict}{}", names::param(kernel, param))
        }
        Slot::Offset { param } => format!("usize k_offset{param}"),
        Slot::Len { param } => format!("usize k_len{param}"),
        Slot::Step { param, dim } => format!("usize k_step{param}d{dim}"),
        Slot::Extent { dim } => format!("usize k_extent{dim}"),
        Slot::Fault => "global u32* k_cell".to_owned(),
    }
}

fn grid(kernel: &Kernel, options: &Options, prelude: &mut Prelude) -> String {
    let mut text = String::new();
    for slot in slots(kernel, options) {
        if let Slot::Offset { param } = slot {
            text.push_str(&format!("    {} += k_offset{param};\n", names::param(kernel, param)));
        }
    }
    let rank = usize::from(kernel.rank);
    for (depth, d) in (0..rank).rev().enumerate() {
        text.push_str(&format!(
            "{:indent$}for (usize k_gid{d} = item{d}; k_gid{d} < k_extent{d}; k_gid{d} += items{d}) {{\n",
            "",
            indent = 4 * (depth + 1)
        ));
    }
    text.push_str(&Body::new(kernel, options.checked, prelude).text(rank + 1));
    for depth in (1..=rank).rev() {
        text.push_str(&format!("{:indent$}}}\n", "", indent = 4 * depth));
    }
    text
}

/// The scalar function of a map.
fn map_function(kernel: &Kernel, name: &str, prelude: &mut Prelude) -> String {
    let params = kernel.params.iter().enumerate();
    let params: Vec<_> = params
        .filter_map(|(i, p)| match p.kind {
            crate::ParamKind::Scalar(ty) => Some(format!("{ty} {}", names::param(kernel, i))),
            _ => None,
        })
        .collect();
    let result = kernel.result.as_ref().map_or(Type::F32, |e| e.ty);
    let body = Body::new(kernel, false, prelude).text(1);
    format!("fn {result} {name}({}) {{\n{body}}}\n", params.join(", "))
}

fn map_loop(kernel: &Kernel, layout: Layout, function: &str) -> String {
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
    let inputs: Vec<_> = (0..count).map(element).collect();
    let mut text = format!("    usize k_count = {};\n", extents.join(" * "));
    text.push_str("    for (usize k_at = item0; k_at < k_count; k_at += items0) {\n");
    if rank > 1 {
        text.push_str("        usize k_rest = k_at;\n");
        for d in 0..rank - 1 {
            text.push_str(&format!(
                "        usize k_i{d} = k_rest % k_extent{d};\n        k_rest /= k_extent{d};\n"
            ));
        }
        text.push_str(&format!("        usize k_i{} = k_rest;\n", rank - 1));
    }
    text.push_str(&format!(
        "        {} = {function}({});\n    }}\n",
        element(count),
        inputs.join(", ")
    ));
    text
}
