use super::*;
use ringwood_base::DType;
use ringwood_base::ErrorKind;

fn open(offer: &Offer, to: usize, data: &[u8], dtype: DType) {
    let elements = Elements { dtype, bytes: data.len() };
    offer.open(to, data.as_ptr().cast_mut(), elements);
}

/// The bytes that rank `to` takes.
fn take(offer: &Offer, to: usize, bytes: usize, dtype: DType) -> Option<Result<Vec<u8>>> {
    let mut target = vec![0; bytes];
    let copy = |source: *mut u8| {
        // SAFETY: the tests offer memory of their own, whose length was compared.
        unsafe { target.as_mut_ptr().copy_from_nonoverlapping(source, bytes) };
        Ok(())
    };
    let taken = offer.take((0, to), Elements { dtype, bytes }, copy)?;
    Some(taken.map(|()| target))
}

#[test]
fn an_offer_is_taken_once_by_its_receiver_or_withdrawn() {
    let (offer, data) = (Offer::default(), [1, 2, 3]);
    open(&offer, 2, &data, DType::U8);
    assert!(take(&offer, 1, 3, DType::U8).is_none(), "for another rank");
    assert!(offer.settled(0, 2).is_none());
    assert_eq!(take(&offer, 2, 3, DType::U8).unwrap().unwrap(), data);
    assert!(!offer.withdraw(2) && !offer.is_being_taken(2));
    assert!(offer.settled(0, 2).unwrap().is_ok());
    assert!(take(&offer, 2, 3, DType::U8).is_none(), "taken");
    open(&offer, 1, &data, DType::U8);
    assert!(offer.withdraw(1) && take(&offer, 1, 3, DType::U8).is_none());
}

#[test]
fn a_refused_offer_tells_both_sides_the_same() {
    let (offer, data) = (Offer::default(), [1_u8; 8]);
    open(&offer, 1, &data, DType::F32);
    let error = take(&offer, 1, 8, DType::F64).unwrap().unwrap_err();
    let text = "rank 0 sends 2 elements of f32, rank 1 receives 1 elements of f64";
    assert_eq!(error.message(), text);
    assert_eq!(offer.settled(0, 1).unwrap().unwrap_err().to_string(), error.to_string());
}

#[test]
fn garbage_in_an_offer_is_an_error_and_one_taken_back_is_no_success() {
    let (offer, data) = (Offer::default(), [1_u8; 8]);
    open(&offer, 1, &data, DType::F32);
    offer.offered.dtype.store(u64::MAX, Ordering::Relaxed);
    let error = take(&offer, 1, 8, DType::F32).unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol);
    open(&offer, 1, &data, DType::U8);
    let asked = Elements { dtype: DType::U8, bytes: 8 };
    let taken_back = |_| {
        assert!(offer.is_being_taken(1));
        offer.turn(1, Phase::Taking, Phase::None);
        Ok(())
    };
    let error = offer.take((0, 1), asked, taken_back).unwrap().unwrap_err();
    assert_eq!(error.message(), "rank 0 took back what rank 1 was receiving");
}
