import PortolanFeatures
import PortolanFormats
import PortolanServices
import PortolanWeb

extension LayerKind {
    /// The keys of a table whose rows belong to features.
    package static let joinKeys = ["join", "on"]
}

extension LayerBuilder {
    /// Reads the table of the key `join`, or returns `nil` if the layer has none.
    ///
    /// - Parameter notes: receives the warnings about the table.
    package func join(
        of specification: LayerSpecification, _ notes: inout [MapWarning]
    ) async throws(MapError) -> FeatureJoin? {
        guard let source = specification["join"] else {
            guard specification["on"] == nil else {
                throw specification.invalid("on", "needs a table; add ';join=FILE.csv'")
            }
            return nil
        }
        guard let on = specification["on"] else {
            throw specification.invalid(
                "join", "needs the key of features and rows; add ';on=PROPERTY', or ';on=id' for identifiers")
        }
        let bytes: [UInt8]
        do throws(ServiceError) {
            bytes = try await client(for: specification).content(at: FileAddress.url(of: source)).bytes
        } catch {
            // The missing resource is the table, not the features.
            throw MapError.layer(.service(error), source: source, kind: specification.kind)
        }
        let table: CSVTable
        do throws(FeatureFileError) {
            let memory = memory(forOwn: FileAddress.isLocal(source) ? bytes.count : 0)
            table = try CSVTable(bytes: bytes, limits: FeatureLimits(memory: memory))
        } catch {
            throw MapError.layer(
                error.code == .memory ? .memory("\(error)") : .features("\(error)"), source: source,
                kind: specification.kind)
        }
        let name = source.split(separator: "/").last.map { $0.prefix { $0 != "?" } }.map(String.init) ?? source
        notes += table.warnings.map { $0.from(name) }
        guard let (property, column) = Self.key(on, in: table),
            let join = table.join(property: property == "id" ? nil : property, column: column, named: name)
        else {
            let near = NearName.nearest(to: String(on.split(separator: ":").last ?? ""), in: table.columns)
            let known = table.columns.prefix(10).joined(separator: ", ") + (table.columns.count > 10 ? ", …" : "")
            throw specification.invalid(
                "on",
                "names no column of '\(name)'; \(near.map { "did you mean '\($0)'? " } ?? "")available: \(known); "
                    + "write PROPERTY:COLUMN if the names differ")
        }
        if join.repeatedCount > 0 {
            notes.append(
                MapWarning(
                    .data, MapWarning.Subject(member: "join"), effect: .omitted,
                    message: "\(join.repeatedCount) rows of '\(name)' repeat the key of an earlier row and are not used"
                ))
        }
        return join
    }

    /// The property and the column of the key `on`: one name for both, or two with a colon.
    private static func key(_ on: String, in table: CSVTable) -> (property: String, column: String)? {
        if table.columns.contains(on) { return (on, on) }
        // Names of properties may contain colons.
        guard let colon = on.lastIndex(of: ":"), colon > on.startIndex else { return nil }
        return (String(on[..<colon]), String(on[on.index(after: colon)...]))
    }
}
