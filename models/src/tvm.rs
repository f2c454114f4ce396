//! TVM's graph JSON and parameter files, as its graph executor reads and writes them.
//!
//! A file names functions that TVM compiled, and says the types of all values. [`load`] makes an application
//! of each: of the operator of that name, of what Ringwood calls TVM's operator, or of the parts of a function
//! `fused_add_exp`, each of which takes what the one before it gives. Where a file of TVM asks for devices, it
//! holds numbers, which [`load`] is told the names of.
//!
//! ```
//! use ringwood_models::tvm;
//! # use ringwood_kernels as _;
//! # use ringwood_base::DType;
//! # use ringwood_graph::graph::Graph;
//! # let path = std::env::temp_dir().join(format!("doc-tvm-{}.json", std::process::id()));
//!
//! let mut graph = Graph::new();
//! let x = graph.input("x", DType::F32, &[2, 3])?;
//! let y = graph.apply("exp", &[x])?;
//! graph.output("y", y)?;
//! tvm::save(&path, &graph, &[])?;
//! let read = tvm::load(&path, &[])?;
//! assert_eq!(read.nodes(), graph.nodes());
//! # std::fs::remove_file(path).unwrap();
//! # Ok::<(), ringwood_base::Error>(())
//! ```

mod file;
mod names;
mod params;
mod read;
mod write;

pub use params::{load_params, save_params};
pub use read::load;
pub use write::save;

ringwood_graph::register_model_format!(tvm_graph, ["json"], "\"node_row_ptr\"", |path, graph| {
    read::load_into(path, graph, &[])
});
