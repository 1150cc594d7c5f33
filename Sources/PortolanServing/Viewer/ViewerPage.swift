import PortolanFetch

/// The page of a viewer and its parts, which are part of the program: it needs nothing of anybody else.
enum ViewerPage {
    /// The page.
    static let page = part(PackageResources.viewer_html, "text/html")

    /// What the page is made of, by the names under which it asks for it.
    static let parts = [
        "viewer.css": part(PackageResources.viewer_css, "text/css"),
        "viewer.js": part(PackageResources.viewer_js, "text/javascript"),
        "gestures.js": part(PackageResources.gestures_js, "text/javascript"),
        "panels.js": part(PackageResources.panels_js, "text/javascript"),
    ]

    private static func part(_ bytes: [UInt8], _ type: String) -> ServerResponse {
        ServerResponse(
            type: type + "; charset=utf-8",
            headers: [
                // Scripts and pictures of others have no place on it (Content Security Policy Level 3).
                HTTPHeader(
                    name: "Content-Security-Policy",
                    value: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
                        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"),
                HTTPHeader(name: "Referrer-Policy", value: "no-referrer"),
            ], body: bytes)
    }
}
