/// A message that is read from and written to the wire.
package protocol WireMessage {
    init()
    /// Takes a field; unknown fields are skipped.
    mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError)
    /// Writes its fields in the order of their numbers.
    func write(to writer: inout WireWriter)
    /// The name of a required field that is missing, or `nil`.
    var missing: StaticString? { get }
}

extension WireMessage {
    package var missing: StaticString? { nil }
}
