//! What a pass does not gather.

use super::{Column, Data, shuffled};
use ringwood_backend_cpu as _;
use ringwood_base::Result;

#[test]
fn batches_that_are_skipped_are_not_gathered() -> Result<()> {
    let mut data = Data::new([Column::new(&[2], &[10, 11])?])?;
    // There is no row 9: gathering it panics.
    data.order = vec![9, 9, 9, 1, 9, 9, 9];
    let place = |seed| shuffled(&data.order, seed).iter().position(|&row| row == 1).unwrap();
    let seed = (0..).find(|&seed| place(seed) >= 3).unwrap();
    let mut skipped = data.batches(1, seed).skip(place(seed));
    assert_eq!(skipped.len(), 7 - place(seed));
    for batch in [skipped.next(), data.batches(1, seed).nth(place(seed))] {
        let [row] = batch.expect("a batch")?;
        assert_eq!(row.to_vec::<i32>()?, [11]);
    }
    Ok(())
}
