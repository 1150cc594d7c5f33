#if PostGIS
import Portolan
import PortolanPostGIS

/// The report of `portolan doctor` about a PostGIS database: tables that cannot be drawn, or only slowly.
struct DatabaseDiagnosis: Encodable {
    /// A fault of a table.
    struct Finding: Encodable {
        /// `no-permission`, `no-srid`, `no-index` or `not-analysed`.
        let code: String
        let table: String
        let reason: String
        let remedy: String
    }

    /// The database without user and password.
    let database: String
    let tables: Int
    let findings: [Finding]

    /// The number of rows from which a missing index matters.
    private static let indexedCount = 1000

    /// Examines a database, or returns `nil` for another source.
    static func examining(
        _ text: String, _ parts: LayerSpecification.Parts?, _ network: NetworkOptions
    ) async throws -> DatabaseDiagnosis? {
        guard let named = try NamedDatabase(text, parts) else { return nil }
        return try await Interruption.cancelling {
            do { return try await examine(named) } catch let error as PostGISError { throw CommandFailure(error) }
        }
    }

    private static func examine(_ named: NamedDatabase) async throws -> DatabaseDiagnosis {
        var findings: [Finding] = [], tables = try await named.database.tables()
        if let wanted = named.query.table {
            // Its error lists the tables.
            let table = try await named.database.table(named.query)
            tables = tables.filter { $0.schema == table.schema && $0.name == table.name }
            if tables.isEmpty { throw CommandFailure(.noInput, "\(wanted): it is not a table") }
        }
        for table in tables {
            func add(_ code: String, _ reason: String, _ remedy: String) {
                findings.append(Finding(code: code, table: table.title, reason: reason, remedy: remedy))
            }
            guard table.isReadable else {
                add("no-permission", "the user may not read it", "GRANT SELECT ON \(table.title) TO the user")
                continue
            }
            if table.srid == 0 {
                var query = PostGISQuery(table: table.title)
                query.geometry = table.geometry
                if try await named.database.table(query).srid == 0 {
                    add(
                        "no-srid", "the coordinate system of '\(table.geometry)' is unknown (SRID 0)",
                        "SELECT UpdateGeometrySRID('\(table.schema)', '\(table.name)', '\(table.geometry)', CODE), or draw it with "
                            + "crs=EPSG:CODE")
                }
            }
            if table.hasIndex == false, table.estimatedCount.map({ $0 >= indexedCount }) ?? true {
                add(
                    "no-index",
                    "'\(table.geometry)' has no spatial index"
                        + (table.estimatedCount.map { ": each view reads all of about \($0) rows" } ?? ""),
                    "CREATE INDEX ON \(table.title) USING gist (\(table.geometry))")
            }
            if table.hasIndex != nil, table.estimatedCount == nil {
                add(
                    "not-analysed", "it has no statistics, which the query planner and extents need",
                    "ANALYZE \(table.title)")
            }
        }
        return DatabaseDiagnosis(database: named.database.place, tables: tables.count, findings: findings)
    }

    /// The findings as text.
    var text: String {
        var lines = ["\(PlainText.oneLine(database)): \(tables) geometry columns"]
        for finding in findings {
            lines.append("  !  \(PlainText.oneLine(finding.table)): \(PlainText.oneLine(finding.reason))")
            lines.append("     \(PlainText.oneLine(finding.remedy))")
        }
        if findings.isEmpty { lines.append("  ✓  nothing to improve") }
        return lines.joined(separator: "\n") + "\n"
    }
}
#endif
