/// Checks an address that a service advertises against the one by which it was reached.
struct AddressCheck {
    let base: ServiceURL

    init(askedAt address: String) { base = ServiceURL(address) }

    /// What is to be said of an address.
    ///
    /// - Parameter isPrefix: whether parameters are appended to it (OGC 06-042 6.3.3).
    func check(_ address: String, subject: String, isPrefix: Bool, into list: inout FindingList) {
        let url = ServiceURL(address)
        guard url.isAbsolute, ["http", "https"].contains(url.scheme) else {
            return list.add(
                .fault, .addressInvalid, subject, "'\(address)' is no address that requests can go to",
                remedy: "write the whole public address, with http:// or https:// and the host")
        }
        if url.host != base.host {
            if url.isInternal, !base.isInternal {
                list.add(
                    .fault, .addressInternal, subject,
                    "the address leads to '\(url.host)', which nobody outside the service's own network can reach",
                    remedy: "set the public address in the server's configuration; behind a proxy, pass its host on")
            } else {
                list.add(
                    .note, .addressOtherHost, subject,
                    "requests go to '\(url.host)' and not to '\(base.host)'; keys and permissions for the one may not "
                        + "hold for the other",
                    remedy: "if that is not meant, set the public address in the server's configuration")
            }
        } else if url.scheme == "http", base.scheme == "https" {
            list.add(
                .deviation, .addressInsecure, subject,
                "the address is over http, although the service was asked over https; browsers block such requests",
                remedy: "set an https address in the server's configuration")
        }
        let text = address.trimmingSpace()
        if isPrefix, !text.hasSuffix("?"), !text.hasSuffix("&") {
            list.add(
                .deviation, .addressPrefix, subject,
                "the address ends neither in '?' nor in '&' (OGC 06-042 6.3.3); clients that append parameters fail",
                remedy: text.contains("?") ? "add '&' at its end" : "add '?' at its end")
        }
    }
}
