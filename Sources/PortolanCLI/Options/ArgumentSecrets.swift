import Portolan
import PortolanFetch
import PortolanWeb

/// The secrets on a valid or invalid command line: URLs anywhere, header fields, names and passwords.
enum ArgumentSecrets {
    /// The secrets of the arguments of a process.
    static func found(in arguments: [String]) -> Secrets {
        var secrets = Secrets()
        for (option, value) in options(in: arguments) {
            switch option {
            case "--header": secrets.add(header: value)
            case "--user": secrets.add(user: value)
            case "--proxy" where !value.contains("//"): secrets.add(url: "//" + value)
            default: secrets.add(url: value)
            }
        }
        return secrets
    }

    /// Each argument with its option, if any.
    private static func options(in arguments: [String]) -> [(option: String, value: String)] {
        var found: [(String, String)] = [], last = ""
        for argument in arguments {
            if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
                found.append((String(argument[..<equals]), String(argument[equals...].dropFirst())))
            } else {
                found.append((last, argument))
            }
            last = argument
        }
        return found
    }
}

extension Secrets {
    fileprivate mutating func add(header text: String) {
        if let field = try? HeaderField.read(text) { return add(field.header) }
        // In an invalid argument, everything after the name is the value.
        add((text.firstIndex(of: ":").map { text[$0...].dropFirst() } ?? text[...]).trimmed)
    }

    fileprivate mutating func add(user text: String) {
        if let (_, credential) = try? HostCredential.read(text) { return add(credential) }
        add(text.split(whereSeparator: { "|:".contains($0) }).last ?? text[...])
    }
}
