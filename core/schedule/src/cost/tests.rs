use super::*;

#[test]
fn a_call_costs_what_the_table_says_and_between_its_points_the_mean() {
    let model = CostModel { call: vec![(2, 1.0), (4, 3.0)], ..CostModel::cluster() };
    let seconds = [1, 2, 3, 4, 8].map(|n| model.call_seconds(n));
    assert_eq!(seconds, [1.0, 1.0, 2.0, 3.0, 6.0]);
    assert_eq!(CostModel::cluster().call_seconds(1000), 0.0);
}

#[test]
fn a_model_survives_json() {
    let model = CostModel::peer_memory(2);
    let text = serde_json::to_string(&model).unwrap();
    assert_eq!(serde_json::from_str::<CostModel>(&text).unwrap(), model);
}
