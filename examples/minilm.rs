//! Sentences as vectors, by all-MiniLM-L6-v2 from its safetensors: a network built of operators in Rust.
//!
//! ```text
//! cargo run --release --example minilm -- FOLDER [EXPECTED.npy]
//! ```
//!
//! FOLDER holds `model.safetensors` and `tokenizer.json`; `models/scripts/minilm.py` fetches them, and writes what
//! NumPy computes of the sentences in 64 bits.

use ringwood::DType::{F32, I32};
use ringwood::device::{Device, Tensor};
use ringwood::graph::{Attributes, Graph, Planner, TensorType, Value};
use ringwood::models::{npy, safetensors};
use ringwood::{Error, Result, Shape};
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

const SENTENCES: [&str; 4] = [
    "The quick brown fox jumps over the lazy dog.",
    "A fast auburn fox leaps above a sleepy hound, unhappily!",
    "Interest rates were raised by a quarter of a percent.",
    "",
];

const LAYERS: usize = 6;
const HEADS: usize = 12;
/// The elements of a vector.
const WIDTH: usize = 384;

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let Some(folder) = words.next() else {
        println!("skipped: no folder of the model is named; models/scripts/minilm.py fetches one");
        return Ok(());
    };
    let start = Instant::now();
    let folder = Path::new(&folder);
    let rows = tokens(&folder.join("tokenizer.json"))?;
    let length = rows.iter().map(Vec::len).max().unwrap_or(0);
    let read = start.elapsed();
    let graph = Network::new(&folder.join("model.safetensors"))?.sentences(rows.len(), length)?;
    let device = Device::named("cpu:0")?;
    let mut plan = Planner::new(std::slice::from_ref(&device)).plan(&graph)?;
    let planned = start.elapsed();
    let given = given(&device, &rows, length)?;
    let given = [("tokens", &given[0]), ("mask", &given[1])];
    let vectors = plan.run(&given)?[0].to_vec::<f32>()?;
    let first = start.elapsed();
    let again = Instant::now();
    plan.run(&given)?[0].to_vec::<f32>()?;
    println!(
        "{} sentences of up to {length} tokens: vocabulary {read:.1?}, file to plan {:.1?}, file to first \
         result {:.1?}, run {:.1?}",
        rows.len(),
        planned - read,
        first - read,
        again.elapsed()
    );
    for (sentence, vector) in SENTENCES.iter().zip(vectors.chunks(WIDTH)) {
        let like = vector.iter().zip(&vectors).map(|(a, b)| a * b).sum::<f32>();
        println!("{like:+.4} {sentence:?}");
    }
    words.next().map_or(Ok(()), |expected| compare(&vectors, &expected))
}

fn compare(vectors: &[f32], path: &str) -> Result<()> {
    let (ty, expected) = npy::load(path)?;
    let expected: Vec<f32> =
        expected.as_chunks().0.iter().map(|b| f32::from_ne_bytes(*b)).collect();
    if ty.dtype != F32 || expected.len() != vectors.len() {
        return Err(invalid(format!("{path} holds {ty}")));
    }
    let apart = vectors.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    println!("largest difference from {path}: {apart:.1e}");
    if apart > 1e-5 { Err(invalid(format!("the vectors differ by {apart}"))) } else { Ok(()) }
}

/// The tokens of rows, zeros behind them, and which of them are some.
fn given(device: &Device, rows: &[Vec<i32>], length: usize) -> Result<[Tensor; 2]> {
    let shape = Shape::new(&[rows.len(), length])?;
    let padded = |row: &Vec<i32>| (0..length).map(|i| row.get(i).copied()).collect::<Vec<_>>();
    let all: Vec<_> = rows.iter().flat_map(padded).collect();
    let tokens: Vec<i32> = all.iter().map(|token| token.unwrap_or(0)).collect();
    let mask: Vec<f32> = all.iter().map(|token| f32::from(u8::from(token.is_some()))).collect();
    Ok([device.tensor_with(&tokens, shape)?, device.tensor_with(&mask, shape)?])
}

/// A graph under construction, and the weights by their names.
struct Network {
    graph: Graph,
    weights: HashMap<String, Value>,
}

impl Network {
    fn new(path: &Path) -> Result<Self> {
        let mut network = Self { graph: Graph::new(), weights: HashMap::new() };
        for (name, TensorType { dtype, shape }, bytes) in safetensors::load(path)? {
            if dtype == F32 && !name.starts_with("pooler.") {
                let weight = network.graph.weight(&name, dtype, &shape, bytes)?;
                network.weights.insert(name, weight);
            }
        }
        Ok(network)
    }

    /// The graph from tokens to vectors of length 1.
    fn sentences(mut self, rows: usize, length: usize) -> Result<Graph> {
        let tokens = self.graph.input("tokens", I32, &[rows, length])?;
        let mask = self.graph.input("mask", F32, &[rows, length])?;
        let mut x = self.embedded(tokens, length)?;
        x = self.reshaped(x, &[rows * length, WIDTH])?;
        // What is no token is far from every query.
        let one = self.number(1.0)?;
        let far = self.number(-1e9)?;
        let absent = self.apply("sub", &[one, mask])?;
        let absent = self.apply("mul", &[absent, far])?;
        let absent = self.reshaped(absent, &[rows, 1, 1, length])?;
        for layer in 0..LAYERS {
            x = self.layer(x, absent, (rows, length), &format!("encoder.layer.{layer}"))?;
        }
        let x = self.reshaped(x, &[rows, length, WIDTH])?;
        let weight = self.reshaped(mask, &[rows, length, 1])?;
        let present = self.apply("mul", &[x, weight])?;
        let sum = self.sum(present, rows, WIDTH)?;
        let count = self.sum(mask, rows, 1)?;
        let mean = self.apply("div", &[sum, count])?;
        let square = self.apply("mul", &[mean, mean])?;
        let size = self.sum(square, rows, 1)?;
        let size = self.apply("sqrt", &[size])?;
        let y = self.apply("div", &[mean, size])?;
        self.graph.output("vectors", y)?;
        Ok(self.graph)
    }

    fn embedded(&mut self, tokens: Value, length: usize) -> Result<Value> {
        let word = self.weight("embeddings.word_embeddings.weight")?;
        let place = self.weight("embeddings.position_embeddings.weight")?;
        let kind = self.weight("embeddings.token_type_embeddings.weight")?;
        let rows = |end: usize| [("axis", 0), ("start", 0), ("end", end), ("step", 1)];
        let x = self.apply("gather", &[word, tokens])?;
        let place = self.graph.apply_with("slice", &[place], rows(length))?;
        let kind = self.graph.apply_with("slice", &[kind], rows(1))?;
        let x = self.apply("add", &[x, kind])?;
        let x = self.apply("add", &[x, place])?;
        self.normalized(x, "embeddings")
    }

    /// Attention, and two layers, each added to what it is given.
    fn layer(
        &mut self,
        x: Value,
        absent: Value,
        (rows, length): (usize, usize),
        name: &str,
    ) -> Result<Value> {
        let split = [rows, length, HEADS, WIDTH / HEADS];
        let heads = |own: &mut Self, part: &str, axes: [i64; 4]| {
            let y = own.linear(x, &format!("{name}.attention.self.{part}"))?;
            let y = own.reshaped(y, &split)?;
            own.graph.apply_with("permute", &[y], [("axes", axes.to_vec())])
        };
        let q = heads(self, "query", [0, 2, 1, 3])?;
        let k = heads(self, "key", [0, 2, 3, 1])?;
        let v = heads(self, "value", [0, 2, 1, 3])?;
        let scores = self.apply("matmul_batch", &[q, k])?;
        let scale = self.number(1.0 / ((WIDTH / HEADS) as f32).sqrt())?;
        let scores = self.apply("mul", &[scores, scale])?;
        let scores = self.apply("add", &[scores, absent])?;
        let shares = self.apply("softmax", &[scores])?;
        let y = self.apply("matmul_batch", &[shares, v])?;
        let y = self.graph.apply_with("permute", &[y], [("axes", vec![0_i64, 2, 1, 3])])?;
        let y = self.reshaped(y, &[rows * length, WIDTH])?;
        let y = self.added(x, y, &format!("{name}.attention.output"))?;
        let inner = self.linear(y, &format!("{name}.intermediate.dense"))?;
        let inner = self.apply("gelu", &[inner])?;
        self.added(y, inner, &format!("{name}.output"))
    }

    fn added(&mut self, x: Value, y: Value, name: &str) -> Result<Value> {
        let y = self.linear(y, &format!("{name}.dense"))?;
        let y = self.apply("add", &[y, x])?;
        self.normalized(y, name)
    }

    fn linear(&mut self, x: Value, name: &str) -> Result<Value> {
        let (w, b) =
            (self.weight(&format!("{name}.weight"))?, self.weight(&format!("{name}.bias"))?);
        let y = self.apply("matmul_nt", &[x, w])?;
        self.apply("add", &[y, b])
    }

    fn normalized(&mut self, x: Value, name: &str) -> Result<Value> {
        let [w, b] =
            ["weight", "bias"].map(|part| self.weight(&format!("{name}.LayerNorm.{part}")));
        let epsilon = Attributes::from([("epsilon", 1e-12_f32)]);
        self.graph.apply_with("layer_norm", &[x, w?, b?], epsilon)
    }

    /// Sums along the second dimension, each row of them of this width.
    fn sum(&mut self, x: Value, rows: usize, width: usize) -> Result<Value> {
        let y = self.graph.apply_with("sum", &[x], [("axis", 1_usize)])?;
        self.reshaped(y, &[rows, width])
    }

    fn reshaped(&mut self, x: Value, dims: &[usize]) -> Result<Value> {
        let dims: Vec<_> = dims.iter().map(|&extent| extent as i64).collect();
        self.graph.apply_with("reshape", &[x], [("shape", dims)])
    }

    fn number(&mut self, number: f32) -> Result<Value> {
        self.graph.constant(&[], &[number])
    }

    fn apply(&mut self, operator: &str, operands: &[Value]) -> Result<Value> {
        self.graph.apply(operator, operands)
    }

    fn weight(&self, name: &str) -> Result<Value> {
        let weight = self.weights.get(name).copied();
        weight.ok_or_else(|| invalid(format!("the file has no tensor `{name}`")))
    }
}

/// The tokens of the sentences, by the vocabulary of a file: words in lower case without accents are told apart
/// by spaces and ASCII punctuation, and cut into the longest known parts.
fn tokens(path: &Path) -> Result<Vec<Vec<i32>>> {
    let text = std::fs::read(path).map_err(|e| invalid(format!("{}: {e}", path.display())))?;
    let file: serde_json::Value = serde_json::from_slice(&text)
        .map_err(|e| invalid(format!("{} is no vocabulary: {e}", path.display())))?;
    let known = |part: &str| file["model"]["vocab"][part].as_i64().map(|token| token as i32);
    let all = |sentence: &&str| {
        let inner = words(sentence).into_iter().flat_map(|word| parts(&word, known));
        [101].into_iter().chain(inner).chain([102]).collect()
    };
    Ok(SENTENCES.iter().map(all).collect())
}

fn words(sentence: &str) -> Vec<String> {
    let mut spaced = String::new();
    for c in sentence.to_lowercase().chars() {
        match c.is_ascii_punctuation() {
            true => spaced.extend([' ', c, ' ']),
            false => spaced.push(c),
        }
    }
    spaced.split_whitespace().map(str::to_owned).collect()
}

fn parts(word: &str, known: impl Fn(&str) -> Option<i32>) -> Vec<i32> {
    let (mut found, mut from) = (Vec::new(), 0);
    while from < word.len() {
        let prefix = if from == 0 { "" } else { "##" };
        let ends = (from + 1..=word.len()).rev().filter(|&end| word.is_char_boundary(end));
        let part = |end| known(&format!("{prefix}{}", &word[from..end])).map(|token| (token, end));
        let Some((token, end)) = ends.into_iter().find_map(part) else { return vec![100] };
        found.push(token);
        from = end;
    }
    found
}

fn invalid(message: String) -> Error {
    Error::invalid(message)
}
