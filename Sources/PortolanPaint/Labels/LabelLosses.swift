/// How many labels of a layer are not drawn, or not whole, and why.
package struct LabelLosses: Hashable, Sendable {
    /// The most names that are kept.
    private static let nameLimit = 10
    /// The most characters of a name.
    private static let nameLength = 60

    /// Labels whose places are all taken by others, by marks or by furniture.
    package internal(set) var collided = 0
    /// Labels whose line or area is too small for them.
    package internal(set) var lackingRoom = 0
    /// Labels for which the budget of memory has no room.
    package internal(set) var unset = 0
    /// Labels whose text was cut off for its length.
    package internal(set) var cut = 0
    /// What the first of those that are not drawn say, those that collided in the order of their ranks.
    package internal(set) var names: [String] = []

    /// The number of labels that are not drawn.
    package var count: Int { collided + lackingRoom + unset }

    /// Counts a label that finds its places taken.
    mutating func noteCollision(_ text: String) {
        collided += 1
        note(text)
    }

    /// Counts a label whose line or area is too small.
    mutating func noteLackOfRoom(_ text: String) {
        lackingRoom += 1
        note(text)
    }

    private mutating func note(_ text: String) {
        guard names.count < Self.nameLimit else { return }
        let name = String(text.prefix(Self.nameLength)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if !name.isEmpty, !names.contains(name) { names.append(name) }
    }

    /// Adds those of another part of the layer.
    mutating func add(_ other: LabelLosses) {
        collided += other.collided
        lackingRoom += other.lackingRoom
        unset += other.unset
        cut += other.cut
        for name in other.names { note(name) }
    }
}
