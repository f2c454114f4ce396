//! Sums of products of tensors, in Einstein's notation.

use ringwood_base::{Error, Result};
use ringwood_graph::compose::Call;
use ringwood_graph::graph::Value;
use ringwood_graph::register_operator;

register_operator! {
    /// The sum of products that `equation` says, as `"bij,bjk->bik"`: NumPy's and PyTorch's `einsum`, with
    /// ellipses and diagonals. Two operands after another are multiplied as matrices, from the first on.
    pub Einsum = "einsum";
    decompose: |c| {
        let equation: String = c.value("equation")?;
        let operands = c.operands();
        einsum(c, &operands, &equation.replace(' ', "")).map(|value| vec![value])
    },
    attributes: { equation: str },
}

/// A tensor and the label of each of its dimensions; those of an ellipsis are its digits.
struct Term {
    value: Value,
    labels: Vec<char>,
}

fn einsum(c: &mut Call<'_>, operands: &[Value], equation: &str) -> Result<Value> {
    let (inputs, output) = match equation.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (equation, None),
    };
    let mut terms = Vec::with_capacity(operands.len());
    for (value, text) in operands.iter().zip(inputs.split(',')) {
        let labels = labels(text, c.type_of(*value)?.shape.len())?;
        terms.push(diagonal(c, Term { value: *value, labels })?);
    }
    if terms.len() != inputs.split(',').count() || terms.len() != operands.len() {
        let message = format!("`{equation}` is not for {} operands", operands.len());
        return Err(Error::invalid(message));
    }
    let output = match output {
        Some(text) => {
            let dots = terms.iter().flat_map(|term| &term.labels).filter(|l| l.is_ascii_digit());
            let rank = dots.max().map_or(0, |last| *last as usize - '0' as usize + 1);
            let named = text.chars().filter(|l| *l != '.').count();
            labels(text, named + if text.contains('.') { rank } else { 0 })?
        }
        None => implied(inputs, &terms),
    };
    let given = |label: &&char| terms.iter().any(|term| term.labels.contains(label));
    if let Some(label) = output.iter().find(|label| !given(label)) {
        return Err(Error::invalid(format!("`{equation}`: no operand has the label `{label}`")));
    }
    if let Some(i) = (1..output.len()).find(|i| output[..*i].contains(&output[*i])) {
        let message = format!("`{equation}`: the result has the label `{}` twice", output[i]);
        return Err(Error::invalid(message));
    }
    let mut terms = terms.into_iter();
    let first = terms.next().ok_or_else(|| Error::invalid("no operand"))?;
    let mut total = first;
    let rest: Vec<_> = terms.collect();
    for (i, term) in rest.iter().enumerate() {
        let later: Vec<_> = rest[i + 1..].iter().flat_map(|t| &t.labels).chain(&output).collect();
        total = contracted(c, total, term, &|label| later.contains(&&label))?;
    }
    let total = summed(c, total, &|label| output.contains(&label))?;
    arranged(c, &total, &output)
}

/// The labels of a term of the equation, which are letters; an ellipsis has as many as the rank leaves.
fn labels(text: &str, rank: usize) -> Result<Vec<char>> {
    if let Some(other) = text.chars().find(|label| !label.is_alphabetic() && *label != '.') {
        return Err(Error::invalid(format!("`{text}`: the label `{other}` is no letter")));
    }
    let named = text.chars().filter(|label| *label != '.').count();
    let wrong = || Error::invalid(format!("`{text}` is not of rank {rank}"));
    let hidden = rank.checked_sub(named).filter(|hidden| *hidden < 10).ok_or_else(wrong)?;
    let dots = text.chars().filter(|label| *label == '.').count();
    let Some((before, after)) = text.split_once("...").filter(|_| dots == 3) else {
        return if dots > 0 {
            Err(wrong())
        } else if hidden == 0 {
            Ok(text.chars().collect())
        } else {
            Err(wrong())
        };
    };
    let digits = (0..hidden).map(|i| (b'0' + i as u8) as char);
    // Dimensions of an ellipsis are counted from the last one, as those that broadcast are.
    Ok(before.chars().chain(digits.rev()).chain(after.chars()).collect())
}

/// The labels of the result where the equation names none: the ellipsis, then those that stand once.
fn implied(inputs: &str, terms: &[Term]) -> Vec<char> {
    let all = terms.iter().flat_map(|term| term.labels.iter().copied());
    let mut dots: Vec<_> = all.filter(char::is_ascii_digit).collect();
    dots.sort_unstable_by(|a, b| b.cmp(a));
    dots.dedup();
    let mut named: Vec<_> = inputs.chars().filter(|l| l.is_alphabetic()).collect();
    named.sort_unstable();
    let once = |label: &char| named.iter().filter(|l| *l == label).count() == 1;
    dots.extend(named.iter().copied().filter(once));
    dots
}

/// A term with each label once: of dimensions with one label, the diagonal.
fn diagonal(c: &mut Call<'_>, mut term: Term) -> Result<Term> {
    let labels = term.labels.clone();
    for label in labels {
        let places: Vec<_> = (0..term.labels.len()).filter(|&d| term.labels[d] == label).collect();
        let [first, .., last] = places[..] else { continue };
        let rest = (0..term.labels.len()).filter(|d| *d != first && *d != last);
        let rest: Vec<_> = rest.collect();
        let order: Vec<_> = rest.iter().copied().chain([first, last]).collect();
        let turned = c.permute(term.value, &order)?;
        let mut shape = c.type_of(turned)?.shape.to_vec();
        let (Some(n), Some(m)) = (shape.pop(), shape.pop()) else { continue };
        if n != m {
            let message = format!("extents {m} and {n} have one label `{label}`");
            return Err(Error::shape(message));
        }
        shape.push(n * n);
        let flat = c.reshape(turned, &shape)?;
        let part = [("axis", rest.len()), ("start", 0), ("end", n * n), ("step", n + 1)];
        term.value = c.apply_with("slice", &[flat], part)?;
        term.labels = rest.iter().map(|d| term.labels[*d]).chain([label]).collect();
        return diagonal(c, term);
    }
    Ok(term)
}

/// The sums over the labels that are not kept.
fn summed(c: &mut Call<'_>, mut term: Term, kept: &dyn Fn(char) -> bool) -> Result<Term> {
    while let Some(d) = term.labels.iter().position(|label| !kept(*label)) {
        term.value = c.apply_with("sum", &[term.value], [("axis", d)])?;
        term.labels.remove(d);
    }
    Ok(term)
}

/// A term with these labels in this order; dimensions that it lacks have the extent 1.
fn arranged(c: &mut Call<'_>, term: &Term, labels: &[char]) -> Result<Value> {
    let places = labels.iter().map(|label| term.labels.iter().position(|l| l == label));
    let places: Vec<_> = places.collect();
    let order: Vec<_> = places.iter().flatten().copied().collect();
    let shape = c.type_of(term.value)?.shape;
    let turned = c.permute(term.value, &order)?;
    let extents: Vec<_> = places.iter().map(|place| place.map_or(1, |d| shape[d])).collect();
    c.reshape(turned, &extents)
}

/// The product of two terms, summed over the labels that both have and that are not kept.
fn contracted(c: &mut Call<'_>, a: Term, b: &Term, kept: &dyn Fn(char) -> bool) -> Result<Term> {
    let a = summed(c, a, &|label| kept(label) || b.labels.contains(&label))?;
    let b = Term { value: b.value, labels: b.labels.clone() };
    let b = summed(c, b, &|label| kept(label) || a.labels.contains(&label))?;
    let group = |of: &Term, both: bool, stays: bool| -> Vec<char> {
        let other = if std::ptr::eq(of, &a) { &b } else { &a };
        let chosen = |l: &char| other.labels.contains(l) == both && (kept(*l) == stays || !both);
        of.labels.iter().copied().filter(chosen).collect()
    };
    let (batch, inner) = (group(&a, true, true), group(&a, true, false));
    let (rows, columns) = (group(&a, false, true), group(&b, false, true));
    let extent = |c: &Call<'_>, term: &Term, labels: &[char]| -> Result<Vec<usize>> {
        let shape = c.type_of(term.value)?.shape;
        let at = |label: &char| term.labels.iter().position(|l| l == label);
        Ok(labels.iter().map(|label| at(label).map_or(1, |d| shape[d])).collect())
    };
    let (shared, depth) = (extent(c, &a, &batch)?, extent(c, &a, &inner)?);
    let common = [&batch[..], &inner].concat();
    let (own, others) = ([&shared[..], &depth].concat(), extent(c, &b, &common)?);
    if own != others {
        let differ = |(n, m): (&usize, &usize)| n != m && *n != 1 && *m != 1;
        if let Some(i) = own.iter().zip(&others).position(differ) {
            let (n, m, label) = (own[i], others[i], common[i]);
            return Err(Error::shape(format!("extents {n} and {m} have one label `{label}`")));
        }
        // Extents of 1 broadcast: the products one by one, and their sums.
        let all: Vec<_> = [&batch[..], &rows, &columns, &inner].concat();
        let factors = [arranged(c, &a, &all)?, arranged(c, &b, &all)?];
        let product = Term { value: c.apply("mul", &factors)?, labels: all };
        return summed(c, product, kept);
    }
    let (m, n) = (extent(c, &a, &rows)?, extent(c, &b, &columns)?);
    let size = |extents: &[usize]| extents.iter().product::<usize>();
    let left = arranged(c, &a, &[&batch[..], &rows, &inner].concat())?;
    let left = c.reshape(left, &[size(&shared), size(&m), size(&depth)])?;
    let right = arranged(c, &b, &[&batch[..], &inner, &columns].concat())?;
    let right = c.reshape(right, &[size(&shared), size(&depth), size(&n)])?;
    let product = c.apply("batched_matmul", &[left, right])?;
    let value = c.reshape(product, &[&shared[..], &m, &n].concat())?;
    Ok(Term { value, labels: [&batch[..], &rows, &columns].concat() })
}
