package import Portolan

extension LayerSpecification {
    /// What the key `cache` says: `off`, or terms between commas such as `at-least:1d`, `at-most:1h`, `fixed:7d` and
    /// `stale:30d`, each with a number of seconds, or of minutes (m), hours (h) or days (d).
    package func cacheRule() throws(CommandFailure) -> CacheRule? {
        guard let terms = list("cache") else { return nil }
        if terms == ["off"] { return .disabled }
        var rule = CacheRule()
        for term in terms {
            let parts = term.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let seconds = Self.seconds(parts[1]) else {
                throw bad("cache", "is neither off nor of the form at-least:1d,at-most:7d,fixed:1h,stale:30d")
            }
            switch parts[0] {
            case "at-least": rule.minimumLifetime = seconds
            case "at-most": rule.maximumLifetime = seconds
            case "fixed":
                rule.ignoresServer = true
                rule.defaultLifetime = seconds
            case "stale": rule.staleLifetime = seconds
            default: throw bad("cache", "has no term '\(parts[0])'; there are: at-least at-most fixed stale")
            }
        }
        guard rule.minimumLifetime <= rule.maximumLifetime ?? .max else {
            throw bad("cache", "wants at least more than at most")
        }
        return rule
    }

    private static func seconds(_ text: String) -> Int? {
        let units = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[String($0)] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard digits.allSatisfy(\.isASCII), let number = Int(digits), (0...100_000_000).contains(number) else {
            return nil
        }
        return number * (unit ?? 1)
    }
}
