package import PortolanFeatures

/// The image of a marker that a client names, before it is read.
package struct OverlayIcon: Hashable, Sendable {
    /// The origin of an image.
    package enum Source: Hashable, Sendable {
        /// A file in the icon folder of the server, by its relative path.
        case file(String)
        /// A URL, whose host must be listed.
        case url(String)
    }

    /// The size of a pixel of the image.
    package enum Scale: Hashable, Sendable {
        /// In view pixels.
        case view(Double)
        /// In picture pixels.
        case picture(Double)
    }

    /// The position in an image that is at the coordinate.
    package enum Anchor: Hashable, Sendable {
        /// Fractions of its size.
        case share(IconMarker.Anchor)
        /// Pixels of the image, from its top left corner.
        case pixel(x: Double, y: Double)
    }

    /// The origin of the image.
    package var source: Source
    /// The position in the image that is at the coordinate.
    package var anchor: Anchor
    /// The size of a pixel of the image.
    package var scale = Scale.view(1)
    /// The parameter of the request that names it.
    package let key: String
    /// The character offset of the name in the parameter.
    package let position: Int

    /// Parses the name of an image: a URL with a scheme, or else a file.
    package init(_ name: String, anchor: Anchor, key: String, position: Int) {
        source = name.contains("://") ? .url(name) : .file(name)
        self.anchor = anchor
        self.key = key
        self.position = position
    }

    /// Returns a problem with the image.
    func problem(_ kind: Problem.Kind, _ detail: String) -> Problem {
        Problem(kind, detail, key: key, position: position)
    }

    /// Returns the marker for an image that was read.
    func marker(_ picture: IconMarker.Source.Picture, ratio: Int) -> IconMarker {
        var marker = IconMarker(source: .picture(picture))
        switch scale {
        case .view(let scale): marker.scale = scale
        case .picture(let scale): marker.scale = scale / Double(ratio)
        }
        switch anchor {
        case .share(let anchor): marker.anchor = anchor
        case .pixel(let x, let y): (marker.offsetX, marker.offsetY) = (-x, -y)
        }
        return marker
    }
}
