//! A transformer learns to write text, one character after the other, in about a minute on two cores.
//!
//! ```sh
//! cargo run --release            # 600 steps
//! cargo run --release -- 2000    # more of them
//! ```

use ringwood::nn::{
    Adam, AdamState, Attention, Decay, Embedding, Key, LayerNorm, Linear, Rate, clip,
};
use ringwood::prelude::*;
use std::time::Instant;

/// The Declaration of Independence and the Constitution of the United States.
const TEXT: &str = include_str!("../constitution.txt");

const LENGTH: usize = 64;
const BATCH: usize = 16;
const FEATURES: usize = 128;
const HEADS: usize = 4;
const BLOCKS: usize = 2;

/// Attention, then two layers, each added to what comes in.
#[derive(Clone, Tensors)]
struct Block {
    norm1: LayerNorm,
    attention: Attention,
    norm2: LayerNorm,
    wide: Linear,
    narrow: Linear,
}

impl Block {
    fn init(key: &Key) -> Self {
        let [attention, wide, narrow] = key.split();
        Self {
            norm1: LayerNorm::init(FEATURES),
            attention: Attention::init(&attention, FEATURES, HEADS),
            norm2: LayerNorm::init(FEATURES),
            wide: Linear::init(&wide, FEATURES, 4 * FEATURES),
            narrow: Linear::init(&narrow, 4 * FEATURES, FEATURES),
        }
    }

    fn apply(&self, x: &Lazy) -> Lazy {
        let x = x + self.attention.apply(&self.norm1.apply(x));
        let wide = self.wide.apply(&self.norm2.apply(&x)).gelu();
        &x + self.narrow.apply(&wide)
    }
}

#[derive(Clone, Tensors)]
struct Transformer {
    characters: Embedding,
    places: Embedding,
    blocks: Vec<Block>,
    norm: LayerNorm,
    output: Linear,
}

impl Transformer {
    fn init(key: &Key, characters: usize) -> Self {
        let [a, b, c, d] = key.split();
        Self {
            characters: Embedding::init(&a, characters, FEATURES),
            places: Embedding::init(&b, LENGTH, FEATURES),
            blocks: c.split::<BLOCKS>().iter().map(Block::init).collect(),
            norm: LayerNorm::init(FEATURES),
            output: Linear::init(&d, FEATURES, characters),
        }
    }

    /// `[batch, length]` characters to the scores of the next ones, `[batch, length, characters]`.
    fn apply(&self, characters: &Lazy) -> Lazy {
        let x = self.characters.apply(characters) + &self.places.table;
        let x = self.blocks.iter().fold(x, |x, block| block.apply(&x));
        self.output.apply(&self.norm.apply(&x))
    }

    fn loss(&self, characters: &Lazy, next: &Lazy) -> Lazy {
        let scores = self.apply(characters);
        let count = self.output.bias.shape().map_or(1, |shape| shape[0]) as i64;
        scores.reshape(&[-1, count]).cross_entropy(next.reshape(&[-1])).mean_all()
    }
}

#[derive(Clone, Tensors)]
struct Training {
    network: Transformer,
    adam: AdamState<Transformer>,
}

fn main() -> ringwood::Result<()> {
    let steps = std::env::args().nth(1).map_or(Ok(600), |steps| steps.parse());
    let steps: usize = steps.expect("the number of steps, as in `cargo run --release -- 600`");
    let mut alphabet: Vec<char> = TEXT.chars().collect();
    alphabet.sort_unstable();
    alphabet.dedup();
    let number = |c: char| alphabet.binary_search(&c).unwrap_or_default() as i32;
    let text: Vec<i32> = TEXT.chars().map(number).collect();

    let adam = Adam { weight_decay: 0.01, ..Adam::default() };
    let network = Transformer::init(&Key::new(1), alphabet.len());
    let mut training = Training { adam: adam.init(&network), network };
    let step = jit(move |(training, characters, next, rate): (Training, Lazy, Lazy, Lazy)| {
        let (loss, gradient) =
            value_and_grad(&training.network, |network| network.loss(&characters, &next));
        let (gradient, _) = clip(gradient, 1.0);
        let (network, adam) = adam.update(&rate, training.network, &gradient, training.adam);
        (Training { network, adam }, loss)
    });

    let rate = Rate { peak: 2e-3, warmup: 50, steps, decay: Decay::Cosine };
    let (start, mut place) = (Instant::now(), 0);
    for taken in 0..steps {
        // A stride that has no factor in common with the length of most texts visits all of it.
        let starts =
            (0..BATCH).map(|i| (place + i * 7919) % (text.len() - LENGTH)).collect::<Vec<_>>();
        place += 104_729;
        let window = |shift: usize| {
            let characters = starts.iter().flat_map(|&at| &text[at + shift..at + shift + LENGTH]);
            Lazy::new(&[BATCH, LENGTH], &characters.copied().collect::<Vec<_>>())
        };
        let loss;
        (training, loss) =
            step.call((training, window(0), window(1), Lazy::scalar(rate.at(taken))))?;
        if taken % 100 == 0 || taken + 1 == steps {
            println!("step {taken}: loss {:.3}", loss.item::<f32>()?);
        }
    }
    println!("{:.0} ms a step", start.elapsed().as_secs_f64() * 1e3 / steps.max(1) as f64);

    println!("\n{}\n", write(&training.network, &text[..LENGTH], &alphabet, 300)?);
    println!("{}", step.stats());
    Ok(())
}

/// What the network writes after these characters: at each place the one that it finds most likely, of those that a
/// key leaves, so that it does not repeat itself.
fn write(
    network: &Transformer,
    start: &[i32],
    alphabet: &[char],
    count: usize,
) -> ringwood::Result<String> {
    let next = jit(|(network, characters, key): (Transformer, Lazy, Key)| {
        let scores =
            network.apply(&characters).slice(1, LENGTH - 1, LENGTH).reshape(&[1, -1]) / 0.7;
        // The largest sum of a score and noise of Gumbel's distribution is a draw by the scores.
        let classes = scores.shape().map_or(1, |shape| shape[1]);
        let noise = -(-key.uniform(&[1, classes], 1e-6, 1.0).log()).log();
        (network, (scores + noise).argmax(1))
    });
    let (mut network, mut seen) = (network.clone(), start.to_vec());
    for i in 0..count {
        let characters = Lazy::new(&[1, LENGTH], &seen[seen.len() - LENGTH..]);
        let drawn;
        (network, drawn) = next.call((network, characters, Key::new(i as u64)))?;
        seen.push(drawn.item::<i32>()?);
    }
    let text = seen[LENGTH..].iter().map(|&c| alphabet[c as usize]).collect();
    Ok(text)
}
