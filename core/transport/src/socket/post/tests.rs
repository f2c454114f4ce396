use super::*;
use ringwood_base::DType;

#[test]
fn frames_come_in_their_order_or_are_refused() {
    let elements = Elements { dtype: DType::F32, bytes: 12 };
    let (offer, ask) = (head(Kind::Offer, elements), head(Kind::Ask, elements));
    let (taken, message) = (Head::new(Kind::Taken, 0, 0), Head::new(Kind::Message, 0, 12));
    let mut post = Post::default();
    assert_eq!([ask, taken, message].map(|head| post.check(&head)), [None; 3]);
    assert_eq!(post.check(&offer), Some(0));
    post.note(&offer);
    assert_eq!((post.offered, post.check(&offer)), (Some(elements), None), "one at a time");
    post.sending = Some(Sending::Offered);
    assert_eq!((post.check(&taken), post.check(&ask)), (None, Some(0)));
    post.note(&ask);
    assert_eq!((post.check(&ask), post.check(&taken)), (None, Some(0)));
    post.note(&taken);
    assert_eq!((post.sending, post.check(&taken)), (Some(Sending::Taken), None));
    post.expected = Some(12);
    assert_eq!([post.check(&message), post.check(&message)], [Some(12), None]);
    assert_eq!(Post::default().check(&Head { channel: u16::MAX, ..offer }), None);
}
