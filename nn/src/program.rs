//! Programs of functions as models.

use ringwood_base::{Error, Result};
use ringwood_graph::graph::Graph;
use ringwood_graph::lazy::Tensors;

/// Gives the inputs of a program the values of `value`, the argument called `argument`, so that they are its weights.
///
/// A tensor that the program does not read is no input of it, and is left out.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_graph::lazy::{Lazy, jit};
/// use ringwood_models::{onnx, picture};
/// use ringwood_nn::{Key, Linear, set_weights};
///
/// let layer = Linear::init(&Key::new(1), 64, 10);
/// let x = Lazy::placeholder(ringwood_base::DType::F32, &[1, 64]);
/// let mut program = jit(|(layer, x): (Linear, Lazy)| layer.apply(&x)).graph(&(layer.clone(), x))?;
/// println!("{program}");
/// assert!(picture::svg(&program).contains("matmul"));
///
/// set_weights(&mut program, "0", &layer)?;
/// let any_number = program.with_open(&[("1", &["images".into(), 64.into()])])?;
/// # let path = std::env::temp_dir().join(format!("doc-{}.onnx", std::process::id()));
/// onnx::save(&any_number, &path)?;
/// # std::fs::remove_file(path).unwrap();
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// The program reads none of the tensors; one has failed, has no value, or is of another type than the input.
#[track_caller]
pub fn set_weights<T: Tensors>(program: &mut Graph, argument: &str, value: &T) -> Result<()> {
    let mut found = false;
    for (name, leaf) in value.names().into_iter().zip(value.leaves()) {
        let parts = [argument, &name].into_iter().filter(|part| !part.is_empty());
        let name = parts.collect::<Vec<_>>().join(".");
        if program.named(&name).is_ok() {
            program.set_weight(&name, leaf.tensor_type()?, leaf.to_bytes()?.into())?;
            found = true;
        }
    }
    match found {
        true => Ok(()),
        false => Err(Error::not_found(format!(
            "the program reads no tensor of an argument `{argument}`"
        ))
        .help("the name is the position or the field of the argument")),
    }
}
