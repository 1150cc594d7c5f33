/// A large value on the heap.
///
/// Types that contain it are copied by reference, and the compiler does not repeat the code that copies each field.
package final class Kept<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
