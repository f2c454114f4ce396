//! Models: `ringwood inspect`, `run` and packages.

use super::{devices, failure, file, json, json_with, path, ringwood, stdout};
use ringwood::DType;
use ringwood::graph::{Graph, TensorType};
use ringwood::models::{npy, npz, onnx, safetensors};
use serde_json::Value;

const DIGITS: &str = "data/digits.onnx";

#[test]
fn files_of_models_and_of_tensors_are_described() {
    let model = json(&["inspect", DIGITS, "--json"]);
    assert_eq!(model["format"], "ONNX model");
    assert_eq!(model["inputs"][0]["type"], "f32[images, 64]");
    assert_eq!(
        (&model["tensors"][0]["bytes"], &model["tensor_bytes"]),
        (&16384.into(), &19240.into())
    );
    let add = serde_json::json!({ "set": "ai.onnx", "operator": "Add", "nodes": 2 });
    assert_eq!(model["operators"][0], add);
    let text = stdout(&ringwood(&["inspect", DIGITS]));
    assert!(text.contains("operator sets   ai.onnx 20"), "{text}");

    let ty = TensorType::new(DType::U8, &[2]).expect("a type");
    let names: Vec<_> = (0..25).map(|i| format!("{i}.{}", "name.".repeat(30))).collect();
    let tensors: Vec<_> = names.iter().map(|name| (name.as_str(), ty, &[1, 2][..])).collect();
    for file in ["many.npz", "many.safetensors"] {
        let many = path(file);
        match file {
            "many.npz" => npz::save(&many, &tensors),
            _ => safetensors::save(&many, &tensors),
        }
        .expect("the file is written");
        let text = stdout(&ringwood(&["inspect", &many]));
        assert!(text.contains("25 tensors, 50 bytes") && text.ends_with("and 5 more\n"), "{text}");
        // What is no terminal gets whole names.
        assert!(names[..20].iter().all(|name| text.contains(name.as_str())), "{text}");
        let all = stdout(&ringwood(&["inspect", &many, "--all"]));
        assert_eq!(all.matches("u8[2]").count(), 25, "{all}");
    }
    let (kind, text) = failure(&["inspect", "README.md"]);
    assert_eq!(kind, "unsupported");
    assert!(
        text.ends_with("known: .json, .npy, .npz, .params, .onnx, .ringwood, .safetensors"),
        "{text}"
    );
    let (_, text) = failure(&["inspect", file("none.onnx", "no model").to_str().expect("a path")]);
    assert!(text.contains("none.onnx") && text.contains("no ONNX model"), "{text}");
}

#[test]
fn a_model_is_run_on_data_or_on_a_seed() {
    let (pixels, out) = (path("pixels.npy"), path("out"));
    let ty = TensorType::new(DType::F32, &[2, 64]).expect("a type");
    let gray: Vec<u8> = [8.0_f32; 128].iter().flat_map(|v| v.to_ne_bytes()).collect();
    npy::save(&pixels, ty, &gray).expect("the file is written");
    let input = format!("pixels={pixels}");
    let run = ["run", DIGITS, "--input", &input, "--output-dir", &out, "--repeat", "3", "--json"];
    let ran = json(&run);
    assert_eq!(ran["outputs"][0]["type"], "f32[2, 10]");
    let (ty, scores) = npy::load(format!("{out}/scores.npy")).expect("the scores");
    assert_eq!((ty.to_string(), scores.len()), ("f32[2, 10]".to_owned(), 80));
    assert_eq!(scores[..40], scores[40..], "two images that are the same");
    assert_eq!(ran["seconds"]["runs"].as_array().expect("a list").len(), 3);
    assert!(ran["devices"][0]["nodes"].as_u64() > Some(0), "{ran}");
    for part in ["load", "infer", "plan", "compile"] {
        assert!(ran["seconds"][part].as_f64() > Some(0.0), "{part}: {ran}");
    }
    assert!(ran["seconds"]["fold"].is_number());
    assert_eq!(ran["devices"][0]["inputs"], 2 * 64 * 4);
    assert_eq!(ran["devices"][0]["outputs"], 2 * 10 * 4 + 2 * 4);
    let again = json(&["run", DIGITS, "--input", &input, "--devices", "cpu", "--json"]);
    assert_eq!(again["outputs"][0]["hash"], ran["outputs"][0]["hash"]);

    let made_up = |more: &[&str]| json(&[&["run", DIGITS, "--json"], more].concat());
    let one = made_up(&[]);
    for policy in ["kernel", "data", "cost"] {
        assert_eq!(made_up(&["--policy", policy])["outputs"], one["outputs"], "{policy}");
    }
    let (_, text) = failure(&["run", DIGITS, "--policy", "explicit"]);
    assert!(text.contains("names no device"), "{text}");
    assert_eq!(one["inputs"][0]["type"], "f32[1, 64]");
    assert_ne!(made_up(&["--seed", "2"])["inputs"][0]["hash"], one["inputs"][0]["hash"]);
    assert_eq!(made_up(&["--shape", "pixels=5x64"])["outputs"][1]["type"], "i32[5]");
    let trace = path("trace.json");
    let picture = path("digits.svg");
    made_up(&["--trace", &trace, "--draw", &picture]);
    let picture = std::fs::read_to_string(picture).expect("the picture");
    assert!(picture.starts_with("<svg") && picture.contains("matmul"), "{picture}");
    let trace = std::fs::read_to_string(trace).expect("the trace");
    let trace: Value = serde_json::from_str(&trace).expect("JSON");
    let nodes = trace["traceEvents"].as_array().expect("a list").iter().filter(|e| e["ph"] == "X");
    assert!(nodes.into_iter().any(|node| node["name"] == "argmax"), "{trace}");
    let text = stdout(&ringwood(&["run", DIGITS, "--repeat", "3"]));
    assert!(text.contains("(made up)") && text.contains("(the fastest of 2; mean "), "{text}");
}

#[test]
fn any_number_of_threads_gives_the_same_bits_of_a_network_of_text() {
    let bert = "models/tests/data/bert-2-layers/bert-2-layers.onnx";
    let run = |threads: &str| json(&["run", bert, "--threads", threads, "--seed", "7", "--json"]);
    let one = run("1");
    for threads in ["2", "8"] {
        assert_eq!(run(threads)["outputs"], one["outputs"], "{threads} threads");
    }
}

#[test]
fn an_index_out_of_bounds_names_the_node_of_the_file() {
    let mut graph = Graph::new();
    let x = graph.open_input("x", DType::F32, &["n".into()]).expect("an input");
    let at = graph.input("at", DType::I64, &[2]).expect("an input");
    let node = |op_type: &str, name: &str| {
        let (opset, results) = (17_i64.into(), 1_usize.into());
        let (op_type, node) = (op_type.into(), name.into());
        vec![("op_type", op_type), ("opset", opset), ("results", results), ("node", node)]
    };
    let y = graph.apply_with("onnx", &[x, at], &node("Gather", "look up")[..]).expect("a node");
    let y = graph.apply_with("onnx", &[y], &node("Relu", "next")[..]).expect("a node");
    graph.output("y", y).expect("an output");
    let model = file("gather.json", &serde_json::to_string(&graph).expect("JSON"));
    let model = model.to_str().expect("a path");
    json(&["run", model, "--shape", "x=4", "--input", "at=3", "--json"]);
    let (trace, picture) = (path("never.json"), path("never.svg"));
    let fails = ["run", model, "--shape", "x=4", "--input", "at=99"];
    let (kind, text) = failure(&[&fails[..], &["--trace", &trace, "--draw", &picture]].concat());
    assert!([trace, picture].iter().all(|path| !std::fs::exists(path).unwrap()), "{text}");
    assert_eq!(kind, "out_of_bounds");
    assert!(text.contains("out of bounds") && text.contains("of the model: look up"), "{text}");
    assert!(text.contains(&format!("file: {model}")), "{text}");
}

#[test]
fn an_error_that_says_what_to_do_gets_no_other_advice() {
    let advice = |op_type: &str| {
        let mut graph = Graph::new();
        let x = graph.open_input("x", DType::F32, &["n".into()]).expect("an input");
        let node =
            [("op_type", op_type.into()), ("opset", 17_i64.into()), ("results", 1_usize.into())];
        let y = graph.apply_with("onnx", &[x], &node[..]).expect("a node");
        graph.output("y", y).expect("an output");
        let model = file("advice.json", &serde_json::to_string(&graph).expect("JSON"));
        failure(&["run", model.to_str().expect("a path"), "--shape", "x=4"]).1
    };
    let own = advice("SequenceConstruct");
    assert!(own.contains("make a tensor of it") && !own.contains("--check"), "{own}");
    assert!(advice("NoSuch").contains("`--check` lists every node"));
}

#[test]
fn a_node_leaves_its_device_for_a_fallback_that_is_asked_for() {
    if devices::device(&devices::runtime(), "opencl:0").is_none() {
        return;
    }
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2, 2]).expect("an input");
    let y = graph.apply("matmul_pack", &[x]).expect("an operator of the CPU alone");
    graph.place(y, "opencl:0").expect("a place");
    graph.output("y", y).expect("an output");
    let model = file("placed.json", &serde_json::to_string(&graph).expect("JSON"));
    let run = ["run", model.to_str().expect("a path"), "--devices", "opencl,cpu"];
    let (_, text) = failure(&run);
    assert!(text.contains("matmul_pack") && text.contains("opencl:0"), "{text}");
    let ran = json(&[&run[..], &["--fallback", "cpu", "--json"]].concat());
    assert_eq!(ran["devices"][1]["nodes"], 1, "{ran}");
}

#[test]
fn a_model_is_run_up_to_a_node() {
    let until = |node: &str| json(&["run", DIGITS, "--until", node, "--json"]);
    let whole = json(&["run", DIGITS, "--json"]);
    let scores = until("scores");
    assert_eq!(scores["outputs"][0], whole["outputs"][0], "an output");
    let graph = Graph::load(DIGITS).expect("the graph");
    let place = graph.outputs()[0].value.node;
    let before = graph.nodes()[place as usize].operands[0].node;
    let name = graph.nodes()[before as usize].called().expect("a name").to_owned();
    let (named, numbered) = (until(&name), until(&format!("%{before}")));
    assert_eq!(named["outputs"][0]["name"], name.as_str());
    assert_eq!(named["outputs"][0]["hash"], numbered["outputs"][0]["hash"]);
    assert_ne!(named["outputs"][0]["hash"], whole["outputs"][0]["hash"]);
    let (kind, text) = failure(&["run", DIGITS, "--until", "no such"]);
    assert_eq!(kind, "not_found");
    assert!(text.contains("no node `no such` among 7 nodes") && text.contains(&name), "{text}");
    assert!(text.contains("`pixels`") && text.contains("`scores`"), "{text}");
}

#[test]
fn a_device_that_is_named_twice_is_refused() {
    let (kind, text) = failure(&["run", DIGITS, "--devices", "cpu,cpu:0"]);
    assert_eq!(kind, "duplicate");
    assert!(text.contains("`--devices` names cpu:0 twice"), "{text}");
}

#[test]
fn wrong_inputs_of_a_model_are_named() {
    let (_, text) = failure(&["run", DIGITS, "--shape", "pixel=1x64"]);
    assert!(
        text.contains("no input or parameter `pixel`; known: ") && text.contains("pixels"),
        "{text}"
    );
    let (kind, text) = failure(&["run", DIGITS, "--shape", "pixels=1x65"]);
    assert_eq!(kind, "shape");
    assert!(text.contains("`pixels` takes the shape [images, 64], not [1, 65]"), "{text}");
    let (kind, text) = failure(&["run", DIGITS, "--shape", "pixels=99999999999999x64"]);
    assert!(kind == "unavailable" && text.contains("no memory for f32["), "{kind}: {text}");
    let pixels = path("one-image.npy");
    let ty = TensorType::new(DType::F32, &[1, 64]).expect("a type");
    npy::save(&pixels, ty, &[0; 256]).expect("a file");
    let given = format!("pixels={pixels}");
    let (_, text) = failure(&["run", DIGITS, "--input", &given, "--shape", "pixels=2x64"]);
    assert!(text.contains("`pixels` has the shape of its file, [1, 64]"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--input", &given, "--input", "pixels=1"]);
    assert!(text.contains("`--input pixels=…` is given twice"), "{text}");
    let shapes = ["--shape", "pixels=1x64", "--shape", "pixels=2x64"];
    let (_, text) = failure(&[&["run", DIGITS], &shapes[..]].concat());
    assert!(text.contains("`--shape pixels=…` is given twice"), "{text}");
    for (option, value) in [("--input", "hidden.weight=3"), ("--shape", "hidden.weight=64")] {
        let (_, text) = failure(&["run", DIGITS, option, value]);
        assert!(text.contains("`hidden.weight` is a parameter"), "{text}");
    }
    let (_, text) = failure(&["run", DIGITS, "--params", &pixels]);
    assert!(text.contains("known: .npz, .params, .safetensors"), "{text}");
    let empty = file("empty.onnx", "");
    let (_, text) = failure(&["inspect", empty.to_str().expect("a path")]);
    assert!(text.contains("the model has no graph") && text.contains("git lfs pull"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--input", "pixels=no-such.npy"]);
    assert!(text.contains("no-such.npy"), "{text}");
    let (_, text) = failure(&["run", "no-such.model"]);
    assert!(text.contains("no-such.model cannot be read"), "{text}");
    let strange = file("strange.model", "");
    let (_, text) = failure(&["run", strange.to_str().expect("a path")]);
    assert!(text.ends_with("known: .json, .onnx, .ringwood"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--input", "pixels="]);
    assert!(text.contains("`--input pixels=` gives neither a file nor a number"), "{text}");
    let doubles = path("doubles.npy");
    let wide = TensorType::new(DType::F64, &[1, 64]).expect("a type");
    npy::save(&doubles, wide, &[0; 512]).expect("a file");
    let (_, text) = failure(&["run", DIGITS, "--input", &format!("pixels={doubles}")]);
    assert!(text.contains("takes f32, not f64 (file: ") && text.contains("doubles.npy"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--devices", "cpu,npu"]);
    assert!(text.contains("npu"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--output-dir", empty.to_str().expect("a path")]);
    assert!(text.contains("the folder") && text.contains("cannot be made"), "{text}");
    let unseen = ["--check", "--package=out.ringwood"];
    for wrong in [["--shape", "pixels=1xx64"], ["--input", "pixels"], ["--repeat", "0"], unseen] {
        let output = ringwood(&[&["run", DIGITS], &wrong[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_package_holds_a_model_and_what_was_compiled_for_it() {
    let (package, again) = (path("digits.ringwood"), path("again.ringwood"));
    let first = json(&["run", DIGITS, "--package", &package, "--json"]);
    let ran = json(&["run", &package, "--use-code", "--json"]);
    assert_eq!(ran["outputs"], first["outputs"]);
    let text = stdout(&ringwood(&["inspect", &package, "--verify"]));
    assert!(text.contains("cpu:0") && text.contains("none that is compiled at run time"), "{text}");
    assert!(text.contains("weights/0-hidden.weight.npy  16512"), "{text}");
    let (_, text) = failure(&["inspect", DIGITS, "--verify"]);
    assert!(text.contains("ONNX model: it has no checksums"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--use-code"]);
    assert!(text.ends_with("digits.onnx is no package, which `--use-code` takes; write one with `--package FILE.ringwood` and run that, or leave the option out"), "{text}");
    for name in ["digits.txt", "digits"] {
        let (_, text) = failure(&["run", DIGITS, "--package", name]);
        assert!(text.ends_with("`--package digits.ringwood`"), "{text}");
    }

    if devices::device(&devices::runtime(), "opencl:0").is_none() {
        return;
    }
    let off = &[("RINGWOOD_CACHE", "off")][..];
    let run = |file: &str, more: &[&str], env: &[(&str, &str)]| {
        let args = ["run", file, "--devices", "opencl", "--json"];
        let ran = json_with(&[&args[..], more].concat(), env);
        assert_eq!(ran["outputs"], first["outputs"]);
        ran["code"].clone()
    };
    run(DIGITS, &["--package", &package], off);
    let code = run(&package, &["--use-code", "--package", &again], off);
    assert!(code["given"].as_u64() > Some(6), "{code}");
    assert_eq!((&code["compiled"], &code["misfits"]), (&0.into(), &serde_json::json!([])));
    let parts = |file: &str| {
        let parts = json(&["inspect", file, "--json"])["parts"].clone();
        let names = parts.as_array().expect("a list").iter().map(|part| part["name"].clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(parts(&again), parts(&package), "what was not compiled is written as well");
    assert_eq!(run(&package, &[], off), Value::Null, "nobody asked for its code");
    // PoCL's environment decides how it compiles: its code is that of another driver.
    let code = run(&package, &["--use-code"], &[off[0], ("POCL_IS_ANOTHER", "1")]);
    assert_eq!((&code["given"], code["compiled"].as_u64() > Some(6)), (&0.into(), true), "{code}");
    assert!(code["misfits"][0].as_str().expect("a reason").contains("POCL_IS_ANOTHER"), "{code}");
}

#[test]
fn what_a_run_reads_is_not_written_over() {
    let model = path("own.onnx");
    std::fs::copy(DIGITS, &model).expect("the model is copied");
    let package = path("own.ringwood");
    assert!(ringwood(&["run", DIGITS, "--package", &package]).status.success());
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2]).expect("an input");
    graph.output("x", x).expect("an output");
    let json = file("own.json", &serde_json::to_string(&graph).expect("JSON"));
    let json = json.to_str().expect("a path").to_owned();
    for (option, model) in [("--trace", &json), ("--package", &package)] {
        let (kind, text) = failure(&["run", model, option, model]);
        assert_eq!(kind, "invalid_argument");
        assert!(text.contains("would be written over"), "{text}");
    }
    assert!(std::fs::read(&model).unwrap() == std::fs::read(DIGITS).unwrap());
    // An output would take the place of an input.
    let folder = path("over");
    std::fs::create_dir_all(&folder).expect("a folder");
    let scores = format!("{folder}/scores.npy");
    let ty = TensorType::new(DType::F32, &[1, 64]).expect("a type");
    npy::save(&scores, ty, &[0; 256]).expect("a file");
    let given = format!("pixels={scores}");
    let (_, text) = failure(&["run", DIGITS, "--input", &given, "--output-dir", &folder]);
    assert!(text.contains("would be written over"), "{text}");
    for (option, wrong) in [("--trace", "t.txt"), ("--draw", "t.png")] {
        let (_, text) = failure(&["run", DIGITS, option, wrong]);
        assert!(text.contains(&format!("`{option} {wrong}` does not end in")), "{text}");
    }
    // A run that fails leaves what was there.
    let kept = file("kept.json", "precious");
    failure(&["run", DIGITS, "--trace", kept.to_str().unwrap(), "--input", "pixels=none.npy"]);
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "precious");
}

#[test]
#[cfg(unix)]
fn links_and_pipes_stay_what_they_are() {
    let (linked, link) = (path("linked.ringwood"), path("link.ringwood"));
    let _ = (std::fs::remove_file(&linked), std::fs::remove_file(&link));
    std::os::unix::fs::symlink(&linked, &link).expect("a link");
    assert!(ringwood(&["run", DIGITS, "--package", &link]).status.success());
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(std::fs::metadata(&linked).unwrap().is_file());
    assert!(ringwood(&["run", DIGITS, "--package", "/dev/null"]).status.success());
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
#[cfg(target_os = "linux")]
fn an_error_that_nobody_reads_has_its_exit_code() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ringwood"));
    let status = command.args(["run", "none.onnx"]).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn a_number_is_every_element_of_an_input() {
    let pixels = path("halves.npy");
    let ty = TensorType::new(DType::F32, &[2, 64]).expect("a type");
    let halves = [0.5_f32; 128].map(f32::to_ne_bytes).concat();
    npy::save(&pixels, ty, &halves).expect("a file");
    let file = json(&["run", DIGITS, "--input", &format!("pixels={pixels}"), "--json"]);
    let number =
        json(&["run", DIGITS, "--input", "pixels=0.5", "--shape", "pixels=2x64", "--json"]);
    assert_eq!(file["outputs"], number["outputs"]);
}

#[test]
fn a_number_is_one_of_the_type_of_its_input() {
    let given = |dtype: DType, number: &str| {
        let mut graph = Graph::new();
        let x = graph.input("x", dtype, &[1]).expect("an input");
        graph.output("y", x).expect("an output");
        let model =
            file(&format!("one-{dtype}.json"), &serde_json::to_string(&graph).expect("JSON"));
        let (model, out) = (model.to_str().expect("a path").to_owned(), path("numbers"));
        let x = format!("x={number}");
        let output = ringwood(&["run", &model, "--input", &x, "--output-dir", &out, "--json"]);
        let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let text = report["error"]["text"].as_str().unwrap_or_default().to_owned();
        match output.status.success() {
            true => Ok(npy::load(format!("{out}/y.npy")).expect("a file").1.to_vec()),
            false => Err(text),
        }
    };
    for number in [9_007_199_254_740_993, i64::MAX, i64::MIN] {
        assert_eq!(given(DType::I64, &number.to_string()), Ok(number.to_ne_bytes().to_vec()));
    }
    assert_eq!(given(DType::U64, "18446744073709551615"), Ok(vec![255; 8]));
    assert_eq!(given(DType::I32, "1e3"), Ok(1000_i32.to_ne_bytes().to_vec()));
    assert_eq!(given(DType::F32, "-inf"), Ok(f32::NEG_INFINITY.to_ne_bytes().to_vec()));
    let wrong = [
        (DType::F32, "1e39"),
        (DType::F64, "1e400"),
        (DType::F16, "70000"),
        (DType::U8, "256"),
        (DType::I64, "9223372036854775808"),
        (DType::Bool, "2"),
    ];
    for (dtype, number) in wrong {
        let error = given(dtype, number).expect_err(number);
        assert!(error.contains(&format!("{number} is no {dtype}")), "{error}");
    }
}

#[test]
fn what_is_checked_alone_is_not_made_up() {
    let large = ["run", DIGITS, "--check", "--shape", "pixels=99999999999x64"];
    let text = stdout(&ringwood(&large));
    assert!(text.contains("the model cannot be planned"), "{text}");
}

#[test]
fn options_that_have_no_meaning_for_a_model_are_refused() {
    let (_, text) = failure(&["run", DIGITS, "--device-numbers", "tvm"]);
    assert!(text.contains("`--device-numbers` is for graphs of TVM, which"), "{text}");
    let (pixels, wide) = (path("one.npy"), path("wide.npz"));
    let ty = |dims: &[usize]| TensorType::new(DType::F32, dims).expect("a type");
    npy::save(&pixels, ty(&[1, 64]), &[0; 256]).expect("a file");
    npz::save(&wide, &[("hidden.weight", ty(&[2]), &[0; 8])]).expect("a file");
    let given = format!("pixels={pixels}");
    let (_, text) = failure(&["run", DIGITS, "--params", &wide, "--input", &given]);
    assert!(!text.contains("`--shape`"), "{text}");
}

#[test]
fn a_device_that_takes_nodes_is_one_of_the_plan() {
    let (_, text) = failure(&["run", DIGITS, "--devices", "cpu", "--fallback", "null"]);
    assert!(text.starts_with("device null:0 is not among those of the plan: cpu:0"), "{text}");
    assert!(text.contains("`--devices cpu,opencl --fallback opencl`"), "{text}");
}

#[test]
fn names_with_control_characters_are_shown() {
    let mut graph = Graph::new();
    let x = graph.input("a\u{7}b", DType::F32, &[2]).expect("an input");
    graph.output("y", x).expect("an output");
    let model = file("bell.json", &serde_json::to_string(&graph).expect("JSON"));
    let text = stdout(&ringwood(&["run", model.to_str().expect("a path")]));
    assert!(text.contains("a\\u{7}b") && !text.contains('\u{7}'), "{text}");
}

#[test]
fn outputs_are_files_whatever_they_are_called() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2]).expect("an input");
    for name in ["a/b", "a:b", ".."] {
        let y = graph.apply("neg", &[x]).expect("a node");
        graph.output(name, y).expect("an output");
    }
    let (model, out) = (path("names.onnx"), path("names"));
    onnx::save(&graph, &model).expect("the model is written");
    let ran = json(&["run", &model, "--output-dir", &out, "--json"]);
    let files: Vec<_> =
        (0..3).map(|i| ran["outputs"][i]["file"].as_str().expect("a file")).collect();
    assert_eq!(files, ["a_b", "a_b_", ".."].map(|name| format!("{out}/{name}.npy")));
    assert!(files.iter().all(|file| npy::load(file).is_ok()));

    let taken = format!("{}/a_b.npy", path("taken"));
    std::fs::create_dir_all(&taken).expect("the test can make its folders");
    let (_, text) = failure(&["run", &model, "--output-dir", &path("taken")]);
    assert!(text.starts_with(&format!("{taken} cannot be written: it is a folder")), "{text}");
    assert!(npy::load(format!("{}/a_b_.npy", path("taken"))).is_err(), "it ran before");
}

#[test]
fn every_node_that_cannot_be_run_is_listed() {
    let fine = stdout(&ringwood(&["run", DIGITS, "--check"]));
    assert!(
        fine.starts_with("7 nodes of the model, all of which") && fine.contains("intermediates"),
        "{fine}"
    );
    let mut graph = Graph::new();
    let x = graph.open_input("x", DType::F32, &["n".into()]).expect("an input");
    let node = |graph: &mut Graph, op_type: &str, domain: Option<&str>, x| {
        let mut with = vec![
            ("op_type", op_type.into()),
            ("opset", 17_i64.into()),
            ("results", 1_usize.into()),
            ("node", "its name".into()),
        ];
        with.extend(domain.map(|domain| ("domain", domain.into())));
        graph.apply_with("onnx", &[x], &with[..]).expect("a node")
    };
    let y = node(&mut graph, "NoSuch", None, x);
    let y = node(&mut graph, "Relu", None, y);
    let y = node(&mut graph, "QLinearAdd", Some("com.microsoft"), y);
    let z = node(&mut graph, "Not", None, x);
    graph.output("y", y).expect("an output");
    graph.output("z", z).expect("an output");
    let model = file("unknown.json", &serde_json::to_string(&graph).expect("JSON"));
    let model = model.to_str().expect("a path");
    let output = ringwood(&["run", model, "--check", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let found = report["findings"].as_array().expect("a list");
    let told = |i: usize, key: &str| found[i][key].as_str().unwrap_or_default().to_owned();
    let operators: Vec<_> = (0..found.len()).map(|i| told(i, "operator")).collect();
    assert_eq!(operators, ["NoSuch", "QLinearAdd", "Not"]);
    assert_eq!((&found[0]["version"], told(0, "consumer").as_str()), (&17.into(), "Relu (node 2)"));
    assert_eq!(found[0]["operands"], serde_json::json!(["f32[1]"]));
    assert_eq!((told(1, "set").as_str(), &found[1]["operands"]), ("com.microsoft", &Value::Null));
    assert!(told(1, "help").contains("ONNX Runtime"), "{report}");
    assert_eq!(told(2, "consumer"), "output `z`");
    assert!(told(2, "reason").contains("bool"), "{report}");
    let text = stdout(&ringwood(&["run", model, "--check"]));
    assert!(
        text.starts_with("node 1 \"its name\": ai.onnx.NoSuch (17) of f32[1], for Relu"),
        "{text}"
    );
    assert!(text.ends_with("3 of 4 nodes of the model cannot be run\n"), "{text}");
    assert_eq!(text.lines().count(), 4, "{text}");
}

#[test]
fn open_extents_are_long_enough_for_the_network() {
    let mut graph = Graph::new();
    let dims = ["batch".into(), 1.into(), "length".into()];
    let x = graph.open_input("x", DType::F32, &dims).expect("an input");
    let y = graph.open_input("y", DType::F32, &["batch".into(), 1.into(), 12.into()]);
    let filter = graph.constant(&[1, 1, 5], &[0.2_f32; 5]).expect("a constant");
    let means = graph.apply("convolve", &[x, filter]).expect("a node");
    let sum = graph.apply("add", &[means, y.expect("an input")]).expect("a node");
    graph.output("sum", sum).expect("an output");
    let model = file("window.json", &serde_json::to_string(&graph).expect("JSON"));
    let shapes = |args: &[&str]| {
        let report = json(&[&["run", model.to_str().expect("a path"), "--json"], args].concat());
        let inputs = report["inputs"].as_array().expect("a list").clone();
        inputs.iter().map(|input| input["type"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(shapes(&[]), ["\"f32[1, 1, 16]\"", "\"f32[1, 1, 12]\""]);
    // The batch of an input that is given is that of the other one.
    assert_eq!(shapes(&["--shape", "y=3x1x12"]), ["\"f32[3, 1, 16]\"", "\"f32[3, 1, 12]\""]);
}
