#if PostGIS
/// Names in statements.
enum SQLText {
    /// Returns a name as a quoted identifier (PostgreSQL, section 4.1.1).
    static func identifier(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

    /// Returns the parts of a name such as `roads`, `city.roads` or `"my.schema"."my table"`, or `nil` if it is invalid.
    ///
    /// Unquoted names keep their case.
    static func parts(of name: String) -> [String]? {
        var parts: [String] = [], rest = name[...]
        while true {
            if rest.first == "\"" {
                var part = ""
                rest = rest.dropFirst()
                while true {
                    guard let end = rest.firstIndex(of: "\"") else { return nil }
                    part += rest[..<end]
                    rest = rest[rest.index(after: end)...]
                    guard rest.first == "\"" else { break }
                    part += "\""
                    rest = rest.dropFirst()
                }
                parts.append(part)
            } else {
                let part = rest.prefix { $0 != "." }
                parts.append(String(part))
                rest = rest.dropFirst(part.count)
            }
            guard let next = rest.first else { break }
            guard next == "." else { return nil }
            rest = rest.dropFirst()
        }
        return parts.contains("") || parts.count > 2 ? nil : parts
    }
}
#endif
