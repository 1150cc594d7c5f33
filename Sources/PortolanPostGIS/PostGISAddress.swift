#if PostGIS
import CPQ
import PortolanFetch
import PortolanWeb

/// The address of a database: a connection URL as libpq reads it (PostgreSQL, section 34.1.1.2).
struct PostGISAddress: Hashable, Sendable {
    /// The keywords of libpq and their values.
    let options: [String: String]
    /// The host, the port and the database, without user and secrets.
    let place: String

    /// Keywords whose values must not be shown.
    private static let secretKeys = ["password", "sslpassword"]

    /// Parses `postgresql://[user@]host[:port]/database[?option=value…]`; `postgresql:///?service=NAME` names a service of
    /// libpq's service file.
    init(_ url: String) throws(PostGISError) {
        var found: [String: String] = [:], fault: UnsafeMutablePointer<CChar>?
        guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://"), !url.utf8.contains(0) else {
            throw Self.invalid
        }
        let parsed = unsafe PQconninfoParse(url, &fault)
        // The message would contain the password.
        if let fault = unsafe fault { unsafe PQfreemem(fault) }
        guard let parsed = unsafe parsed else { throw Self.invalid }
        defer { unsafe PQconninfoFree(parsed) }
        var option = unsafe parsed
        // The array ends with an entry without a keyword.
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val { unsafe found[String(cString: keyword)] = String(cString: value) }
            unsafe option += 1
        }
        options = found
        let host = found["host"] ?? found["hostaddr"] ?? ""
        var place = "postgresql://" + (host.contains(":") ? "[\(host)]" : host)
        if let port = found["port"] { place += ":\(port)" }
        place += "/" + (found["dbname"] ?? "")
        if let service = found["service"] { place += "?service=\(service)" }
        self.place = place
    }

    private static let invalid = PostGISError(
        .invalid, database: "PostGIS", "invalid connection URL",
        remedy: "write postgresql://[user@]host[:port]/database[?option=value]; percent-encode special characters")

    /// The values that must not appear in messages.
    var secrets: Secrets {
        var secrets = Secrets()
        for key in Self.secretKeys { if let value = options[key] { secrets.add(value) } }
        return secrets
    }
}
#endif
