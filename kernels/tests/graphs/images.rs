//! Images that are resized, sampled at places of a grid, and pooled over regions.

use crate::support::{cpu, graph};
use ringwood_graph::graph::Attribute;
use ringwood_graph::lazy::Lazy;

#[test]
fn images_are_resized_to_what_scales_of_32_bits_say() {
    for (image, scale, count) in [(10, 0.9_f32, 9), (0, 2.0, 0)] {
        let mut g = graph();
        let x = g.constant(&[1, 1, image], &vec![1.0_f32; image]).unwrap();
        let scales = g.constant(&[3], &[1.0, 1.0, f64::from(scale)]).unwrap();
        let attributes = [("absent", Attribute::from(vec![1_i64])), ("mode", "linear".into())];
        let y = g.apply_with("resize", &[x, scales], attributes).unwrap();
        g.output("y", y).unwrap();
        let outputs = g.plan(&[cpu()]).unwrap().run(&[]).unwrap();
        assert_eq!(outputs[0].to_vec::<f32>().unwrap(), vec![1.0; count]);
    }
}

/// The elements of a row of `count` that are nearest to those of the resized one.
fn nearest(count: usize, scale: f32, transformation: &str, mode: &str) -> Vec<f32> {
    let mut g = graph();
    let row: Vec<_> = (0..count).map(|i| i as f32).collect();
    let x = g.constant(&[count], &row).unwrap();
    let scale = g.constant(&[1], &[f64::from(scale)]).unwrap();
    let attributes = [
        ("absent", Attribute::from(vec![1_i64])),
        ("coordinate_transformation_mode", transformation.into()),
        ("nearest_mode", mode.into()),
    ];
    let y = g.apply_with("resize", &[x, scale], attributes).unwrap();
    g.output("y", y).unwrap();
    g.plan(&[cpu()]).unwrap().run(&[]).unwrap()[0].to_vec().unwrap()
}

/// Place 17 of the result is at 17 / 1.7 = 10, which numbers of 64 bits have as a little less.
#[test]
fn the_nearest_element_is_that_of_places_of_32_bits() {
    let near = nearest(12, 1.7, "asymmetric", "floor");
    assert_eq!(near[14..], [8.0, 8.0, 9.0, 10.0, 10.0, 11.0]);
}

/// Place 9 is at 9 / 1.2 = 7.5, and place 0 at 3.5 (1 − 4 / 4.2) + 0.5 / 0.6 − 0.5 = 0.5, which numbers of 32 bits have
/// as a little less and a little more. As in ONNX Runtime, both are in the middle of two elements.
#[test]
fn a_place_that_is_rounded_may_be_in_the_middle_of_two_elements() {
    for (mode, last) in [("round_prefer_ceil", 8.0), ("round_prefer_floor", 7.0)] {
        assert_eq!(nearest(9, 1.2, "asymmetric", mode)[9], last, "{mode}");
    }
    for (mode, first) in [("round_prefer_ceil", 1.0), ("round_prefer_floor", 0.0)] {
        assert_eq!(nearest(7, 0.6, "half_pixel_symmetric", mode)[0], first, "{mode}");
    }
}

#[test]
fn an_empty_batch_is_resized_and_sizes_below_0_are_refused() {
    let resized = |sizes: [f64; 3]| {
        let mut g = graph();
        let x = g.constant(&[0, 1, 2], &[0.0_f32; 0]).unwrap();
        let sizes = g.constant(&[3], &sizes).unwrap();
        let attributes = [("absent", Attribute::from(vec![1_i64, 2])), ("mode", "linear".into())];
        let y = g.apply_with("resize", &[x, sizes], attributes)?;
        g.type_of(y)
    };
    assert_eq!(resized([0.0, 1.0, 4.0]).unwrap().to_string(), "f32[0, 1, 4]");
    let error = resized([0.0, 1.0, -4.0]).unwrap_err();
    assert!(error.to_string().contains("an image is not resized by"), "{error}");
}

/// One element of an image is its first, though the scale would leave more than one.
#[test]
fn an_image_of_one_element_begins_with_the_first() {
    let mut g = graph();
    let x = g.constant(&[3], &[1.0_f32, 5.0, 9.0]).unwrap();
    let scale = g.constant(&[1], &[0.6_f64]).unwrap();
    let attributes = [
        ("absent", Attribute::from(vec![1_i64])),
        ("mode", "linear".into()),
        ("coordinate_transformation_mode", "pytorch_half_pixel".into()),
    ];
    let y = g.apply_with("resize", &[x, scale], attributes).unwrap();
    g.output("y", y).unwrap();
    assert_eq!(g.plan(&[cpu()]).unwrap().run(&[]).unwrap()[0].to_vec::<f32>().unwrap(), [1.0]);
}

#[test]
fn grids_are_as_exact_as_their_transformations() {
    let theta = Lazy::new(&[1, 2, 3], &[1.0_f64, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let size = Lazy::new(&[4], &[1_i64, 1, 1, 3]);
    let grid = theta.apply("affine_grid", &[&size], ()).to_vec::<f64>().unwrap();
    assert!((grid[0] + 2.0 / 3.0).abs() < 1e-15, "{grid:?}");
}

#[test]
fn a_region_beyond_the_image_is_a_mean_over_all_of_it() {
    let region = |bottom: f32| {
        let mut g = graph();
        let x = g.constant(&[1, 1, 1, 4], &[1.0_f32, 2.0, 3.0, 4.0]).unwrap();
        let r = g.constant(&[1, 4], &[0.0_f32, 0.0, 3.0, bottom]).unwrap();
        let batch = g.constant(&[1], &[0_i32]).unwrap();
        let how: [(_, Attribute); 7] = [
            ("p", 1_usize.into()),
            ("q", 1_usize.into()),
            ("ratio", 0_usize.into()),
            ("scale", 1.0_f32.into()),
            ("shift", 0.0_f32.into()),
            ("least", 1.0_f32.into()),
            ("largest", false.into()),
        ];
        let y = g.apply_with("roi_align", &[x, r, batch], how).unwrap();
        g.output("y", y).unwrap();
        g.plan(&[cpu()]).unwrap().run(&[]).unwrap()[0].to_vec::<f32>().unwrap()[0]
    };
    // Rows half below the image count as 0.
    assert_eq!(region(3.9), 0.625 * 2.0 * 2.0 / 2.0 / 2.0);
    assert!((region(9.0) - 2.5 / 9.0).abs() < 1e-6);
    assert!(region(1e9) < 1e-6);
}

#[test]
fn cubic_weights_are_those_of_the_place_and_a_grid_may_have_one_row() {
    let mut g = graph();
    let row = [1.0_f32, 2.0, 4.0, 8.0, 16.0];
    let x = g.constant(&[1, 1, 3, 5], &[row, row, row].concat()).unwrap();
    let grid = g.constant(&[1, 1, 1, 2], &[-0.92_f32, 0.0]).unwrap();
    let how = [("mode", "cubic"), ("padding_mode", "border")];
    let y = g.apply_with("grid_sample", &[x, grid], how).unwrap();
    g.output("y", y).unwrap();
    let theta = g.constant(&[1, 2, 3], &[1.0_f32, 0.0, 0.0, 0.0, 1.0, 0.0]).unwrap();
    let size = g.constant(&[4], &[1_i64, 1, 1, 2]).unwrap();
    let grid = g.apply_with("affine_grid", &[theta, size], [("align_corners", true)]).unwrap();
    g.output("grid", grid).unwrap();
    let outputs = g.plan(&[cpu()]).unwrap().run(&[]).unwrap();
    let y = outputs[0].to_vec::<f32>().unwrap()[0];
    assert!((y - 0.889_75).abs() < 1e-4, "{y}");
    assert_eq!(outputs[1].to_vec::<f32>().unwrap(), [-1.0, -1.0, 1.0, -1.0]);
}
