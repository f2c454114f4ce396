//! `ringwood kernels NAME --check-races`: launches with made-up arguments, in the interpreter.

use super::super::output::Output;
use crate::kernel::{Form, Instance, Operand, ParamKind, check_races, declarations};
use crate::registry::{Entry, Registry};
use crate::{DType, Error, ErrorKind, Result, Scalar, Shape};
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;

/// The scalars of the launches, and the elements of their slices.
const SCALARS: [usize; 4] = [1, 3, 8, 16];
const LENGTHS: [usize; 5] = [1, 8, 24, 256, 640];

#[derive(Serialize)]
struct Report {
    kernel: String,
    /// The launches that met the requirements.
    launches: usize,
    work_items: usize,
    races: Vec<String>,
}

pub(super) fn run(registry: &Registry, name: &str, output: &Output) -> Result<ExitCode> {
    let mut report =
        Report { kernel: name.to_owned(), launches: 0, work_items: 0, races: Vec::new() };
    let mut forms = Vec::new();
    for (entry, def) in declarations(registry, name)? {
        forms.push(def.form);
        if matches!(def.form, Form::Grid | Form::Group) {
            def.instances.iter().filter(|i| i.ir.is_some()).for_each(|i| report.add(entry, i));
        }
    }
    if report.launches == 0 && report.races.is_empty() {
        return Err(nothing(name, &forms));
    }
    output.result(&report)?;
    Ok(if report.races.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The refusal where no launch of a kernel ran, whose items have these forms.
fn nothing(name: &str, forms: &[Form]) -> Error {
    let help = if forms.iter().any(|form| matches!(form, Form::Grid | Form::Group)) {
        "for a kernel with requirements call `kernel::check_races` from a test, with arguments that meet them"
    } else if forms.contains(&Form::Map) {
        "maps have no races"
    } else {
        "a host kernel is Rust, which the interpreter does not run: its borrows are checked by the compiler"
    };
    let message = format!("no made-up launch of `{name}` can run: nothing was checked");
    Error::unsupported(message).help(help)
}

impl Report {
    fn add(&mut self, entry: &Entry, instance: &Instance) {
        for (scalar, length) in
            SCALARS.iter().flat_map(|s| LENGTHS.iter().map(move |length| (*s, *length)))
        {
            let args: Option<Vec<_>> =
                instance.params.iter().map(|p| operand(p.kind, scalar, length)).collect();
            match args.map(|args| check_races(entry, &args)) {
                Some(Ok(items)) if items > 0 => {
                    self.launches += 1;
                    self.work_items += items;
                }
                Some(Err(error)) if error.kind() == ErrorKind::NotVerified => {
                    self.races.push(error.to_string());
                    return;
                }
                _ => {}
            }
        }
    }
}

fn operand(kind: ParamKind, scalar: usize, length: usize) -> Option<Operand> {
    let tensor = |dtype: DType, shape: Shape, mutable| Operand::Tensor { dtype, shape, mutable };
    Some(match kind {
        ParamKind::Scalar(ty) => Operand::Scalar(Scalar::Usize(scalar).cast(ty)),
        ParamKind::Slice { dtype, mutable } => tensor(dtype, Shape::vector(length), mutable),
        ParamKind::View { dtype, rank, mutable } => {
            let dims = vec![scalar.min(4); usize::from(rank)];
            tensor(dtype, Shape::new(&dims).ok()?, mutable)
        }
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for race in &self.races {
            writeln!(f, "{race}")?;
        }
        let Report { kernel, launches, work_items, .. } = self;
        match self.races.is_empty() {
            true => writeln!(
                f,
                "`{kernel}`: no race in {launches} made-up launches of {work_items} work-items in all"
            ),
            false => Ok(()),
        }
    }
}
