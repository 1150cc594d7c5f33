#if PostGIS
import CPQ

/// The result of a query, for one thread.
///
/// libpq's result is valid from `init` to `deinit`, and indices are checked, so the class is safe.
@safe final class PQRows {
    private let result: OpaquePointer
    /// The number of rows.
    let count: Int
    /// The number of columns.
    let columnCount: Int

    init(_ result: OpaquePointer) {
        unsafe self.result = result
        count = unsafe Int(PQntuples(result))
        columnCount = unsafe Int(PQnfields(result))
    }

    deinit { unsafe PQclear(result) }

    /// The name, the type and the type modifier of a column.
    func column(_ column: Int) -> (name: String, type: UInt32, modifier: Int32) {
        precondition(column < columnCount)
        let name = unsafe PQfname(result, Int32(column)).map { unsafe String(cString: $0) }
        return unsafe (name ?? "", PQftype(result, Int32(column)), PQfmod(result, Int32(column)))
    }

    /// Calls a function with the bytes of a value, or with `nil` for NULL.
    ///
    /// The bytes are valid during the call.
    private func withValue<Result>(_ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        precondition(row < count && column < columnCount)
        guard unsafe PQgetisnull(result, Int32(row), Int32(column)) == 0,
            let start = unsafe PQgetvalue(result, Int32(row), Int32(column))
        else { return body(nil) }
        // The value has exactly the length that libpq states.
        let length = unsafe Int(PQgetlength(result, Int32(row), Int32(column)))
        return unsafe body(UnsafeRawBufferPointer(start: start, count: length))
    }

    /// Returns all values, row by row: for each its length in four bytes, big-endian, and its bytes; the length of NULL is -1.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        for row in 0..<count {
            for column in 0..<columnCount {
                unsafe withValue(row, column) { value in
                    let length = UInt32(bitPattern: unsafe Int32(clamping: value?.count ?? -1))
                    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> UInt32(shift))) }
                    if let value = unsafe value { unsafe bytes.append(contentsOf: value) }
                }
            }
        }
        return bytes
    }

    /// Returns the bytes of a value, or `nil` for NULL.
    func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        unsafe withValue(row, column) { value in unsafe value.map { unsafe Array($0) } }
    }

    /// Returns a value as text, or `nil` for NULL.
    subscript(_ row: Int, _ column: Int) -> String? {
        bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns an integer in text form, or `nil`.
    func integer(_ row: Int, _ column: Int) -> Int? { self[row, column].flatMap { Int($0) } }

    /// Returns whether a Boolean in text form is true.
    func flag(_ row: Int, _ column: Int) -> Bool { self[row, column] == "t" }
}
#endif
