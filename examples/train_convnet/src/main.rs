//! A small convolutional network, as LeNet, learns handwritten digits of 8 by 8 pixels.
//!
//! ```sh
//! cargo run --release
//! ```

use ringwood::nn::{self, Adam, AdamState, Convolution, Decay, Key, Linear, Rate};
use ringwood::prelude::*;

const BATCH: usize = 32;
const EPOCHS: usize = 6;

#[derive(Clone, Tensors)]
struct Network {
    first: Convolution,
    second: Convolution,
    output: Linear,
}

impl Network {
    fn init(key: &Key) -> Self {
        let [first, second, output] = key.split();
        Self {
            first: Convolution { padding: 1, ..Convolution::init(&first, 1, 8, 3) },
            second: Convolution { padding: 1, ..Convolution::init(&second, 8, 16, 3) },
            output: Linear::init(&output, 16 * 2 * 2, nn::CLASSES),
        }
    }

    /// `[n, 64]` to the scores of each digit, `[n, 10]`.
    fn apply(&self, images: &Lazy) -> Lazy {
        let images = images.reshape(&[-1, 1, 8, 8]);
        let x = self.first.apply(&images).relu().max_pool2d(2, 2);
        let x = self.second.apply(&x).relu().max_pool2d(2, 2);
        self.output.apply(&x.reshape(&[-1, 16 * 2 * 2]))
    }
}

#[derive(Clone, Tensors)]
struct Training {
    network: Network,
    adam: AdamState<Network>,
}

fn main() -> ringwood::Result<()> {
    let (train, test) = nn::digits()?.split(359, 1)?;
    let adam = Adam::default();
    let network = Network::init(&Key::new(1));
    let mut training = Training { adam: adam.init(&network), network };

    let step = jit(move |(training, images, labels, rate): (Training, Lazy, Lazy, Lazy)| {
        let (loss, gradient) = value_and_grad(&training.network, |network| {
            network.apply(&images).cross_entropy(&labels).mean_all()
        });
        let (network, adam) = adam.update(&rate, training.network, &gradient, training.adam);
        (Training { network, adam }, loss)
    });
    let steps = EPOCHS * (train.rows() / BATCH);
    let rate = Rate { peak: 0.005, warmup: 20, steps, decay: Decay::Cosine };
    let mut taken = 0;
    for epoch in 0..EPOCHS {
        let mut last = None;
        for batch in train.batches(BATCH, epoch as u64) {
            let ([images, labels], rate) = (batch?, Lazy::scalar(rate.at(taken)));
            let loss;
            (training, loss) = step.call((training, images, labels, rate))?;
            last = Some(loss);
            taken += 1;
        }
        if let Some(loss) = last {
            println!("epoch {epoch}: loss {:.4}", loss.item::<f32>()?);
        }
    }

    let [images, labels] = test.all()?;
    let seen = training.network.apply(&images).argmax(-1).to_vec::<i32>()?;
    let right =
        seen.iter().zip(labels.to_vec::<i32>()?).filter(|(seen, label)| **seen == *label).count();
    println!("{right} of {} held-out digits are told right", test.rows());
    println!("{}", step.stats());
    Ok(())
}
