use super::*;

fn gpu(number: u64, links: &[(u64, u32)]) -> Locality {
    let link = |&(to, strength): &(u64, u32)| Link { to, strength };
    let device = format!("/task:0/gpu:{number}");
    Locality { device, links: links.iter().map(link).collect() }
}

fn numbers(devices: &[Locality]) -> Vec<u64> {
    devices.iter().map(|d| d.number().unwrap()).collect()
}

#[test]
fn two_cliques_are_walked_one_after_the_other_over_the_link_between_them() {
    let cliques: [&[u64]; 2] = [&[0, 1, 6, 7], &[2, 3, 4, 5]];
    let mut devices: Vec<_> = (0..8)
        .map(|d| {
            let clique = cliques.iter().find(|c| c.contains(&d)).unwrap();
            let mut links: Vec<_> = clique.iter().filter(|o| **o != d).map(|o| (*o, 2)).collect();
            match d {
                3 => links.push((7, 1)),
                7 => links.push((3, 1)),
                _ => {}
            }
            gpu(d, &links)
        })
        .rev()
        .collect();
    arrange(&mut devices, None).unwrap();
    assert_eq!(numbers(&devices), [0, 1, 6, 7, 3, 2, 4, 5]);
}

#[test]
fn the_first_link_wins_ties_and_links_out_of_the_group_do_not_count() {
    let mut devices = vec![gpu(0, &[(9, 5), (3, 1), (1, 1)]), gpu(1, &[]), gpu(3, &[])];
    arrange(&mut devices, None).unwrap();
    assert_eq!(numbers(&devices), [0, 3, 1]);
    let mut plain = vec![gpu(10, &[]), gpu(9, &[]), gpu(2, &[])];
    arrange(&mut plain, None).unwrap();
    assert_eq!(numbers(&plain), [2, 9, 10]);
}

#[test]
fn tasks_order_by_number_and_a_hint_orders_each() {
    let name = |task, d| Locality::new(&format!("/task:{task}/gpu:{d}"));
    let mut devices: Vec<_> =
        [10, 2].iter().flat_map(|t| [0, 1, 10].map(|d| name(*t, d))).collect();
    arrange(&mut devices, Some("10, 0,1")).unwrap();
    let names: Vec<_> = devices.iter().map(|d| d.device.as_str()).collect();
    assert_eq!(names[..3], ["/task:2/gpu:10", "/task:2/gpu:0", "/task:2/gpu:1"]);
    assert_eq!(names[3..], ["/task:10/gpu:10", "/task:10/gpu:0", "/task:10/gpu:1"]);
    for flaw in ["0,1", "0,1,2", "0,1,10,3", "0,0,1", "a,b,c", ""] {
        let error = arrange(&mut devices, Some(flaw)).unwrap_err();
        assert!(error.message().starts_with("ring order"), "{error}");
    }
}

#[test]
fn devices_and_tasks_order_by_number() {
    let mut names =
        ["/task:10/cpu:0", "/task:2/cpu:10", "/task:2/cpu:2", "/task:2/cpu:02", "/task:2"];
    names.sort_by(|a, b| by_number(a, b));
    assert_eq!(
        names,
        ["/task:2", "/task:2/cpu:02", "/task:2/cpu:2", "/task:2/cpu:10", "/task:10/cpu:0"]
    );
    assert_eq!(by_number("cpu:99999999999999999999999", "cpu:100"), Ordering::Greater);
    assert_eq!(by_number("gpu:0", "cpu:1"), Ordering::Greater);
}
