/// Messages about HTTP statuses with advice.
package enum HTTPStatus {
    /// Returns the status with advice if available.
    package static func words(_ status: Int) -> String {
        switch status {
        case 401: "HTTP status 401 (login required: add a name and password, or a token, for this host)"
        case 403:
            "HTTP status 403 (access denied: check whether the URL needs a key, or the host a name and password)"
        case 404: "HTTP status 404 (not found at this URL)"
        case 407: "HTTP status 407 (the proxy requires a name and password)"
        case 429: "HTTP status 429 (too many requests; try later)"
        default: "HTTP status \(status)"
        }
    }
}
