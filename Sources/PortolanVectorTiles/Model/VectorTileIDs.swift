/// The identifiers of the features of a layer.
///
/// They are unsigned numbers of 64 bits, can be missing, and are not always unique.
package struct VectorTileIDs: Sendable {
    /// One number for each feature, 0 if it has none; empty if no feature has one.
    private var numbers: [UInt64] = []
    /// Whether each feature has an identifier; empty if all or none have one.
    private var isPresent: [Bool] = []

    init() {}

    /// - Parameter isPresent: empty if all features have an identifier.
    init(numbers: [UInt64], isPresent: [Bool]) {
        self.numbers = numbers
        self.isPresent = isPresent
    }

    /// Appends the identifier of the next feature, the number of which is `count`.
    mutating func append(_ id: UInt64?, at count: Int) {
        if let id {
            if numbers.isEmpty, count > 0 {
                numbers = [UInt64](repeating: 0, count: count)
                isPresent = [Bool](repeating: false, count: count)
            }
            numbers.append(id)
            if !isPresent.isEmpty { isPresent.append(true) }
        } else if !numbers.isEmpty {
            if isPresent.isEmpty { isPresent = [Bool](repeating: true, count: numbers.count) }
            numbers.append(0)
            isPresent.append(false)
        }
    }

    /// Whether no feature has an identifier.
    package var isEmpty: Bool { numbers.isEmpty }

    /// The identifier of a feature, or `nil`.
    package subscript(feature: Int) -> UInt64? {
        guard !numbers.isEmpty, isPresent.isEmpty || isPresent[feature] else { return nil }
        return numbers[feature]
    }
}
