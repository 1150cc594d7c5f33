/// Messages about HTTP statuses with advice.
package enum HTTPStatus {
    /// Returns the status with advice if available.
    package static func words(_ status: Int) -> String {
        switch status {
        case 401: "HTTP status 401 (it wants to know who asks: give a name and password, or a token, for this host)"
        case 403:
            "HTTP status 403 (it does not let you in: see whether the address wants a key, or the host a name and password)"
        case 404: "HTTP status 404 (there is nothing at this address)"
        case 407: "HTTP status 407 (the proxy wants a name and password)"
        case 429: "HTTP status 429 (it has been asked too often; try later)"
        default: "HTTP status \(status)"
        }
    }
}
