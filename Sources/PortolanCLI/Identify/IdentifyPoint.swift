package import Portolan

/// The point that `portolan identify` is asked about.
package enum IdentifyPoint: Equatable, Sendable {
    /// In view pixels.
    case pixel(Point)
    /// Longitude and latitude in degrees, and as they were written.
    case degrees(Coordinate, text: String)

    /// Reads the two options, of which one must be given.
    package init(at: String?, lonlat: String?) throws(CommandFailure) {
        switch (at, lonlat) {
        case (let text?, nil):
            let numbers = try ViewRequest.numbers(text, count: 2, option: "--at", form: "X,Y")
            self = .pixel(Point(x: numbers[0], y: numbers[1]))
        case (nil, let text?):
            let numbers = try ViewRequest.numbers(text, count: 2, option: "--lonlat", form: "LON,LAT")
            guard abs(numbers[0]) <= 360, abs(numbers[1]) <= 90 else {
                throw CommandFailure(.usage, "--lonlat \(text) is not in degrees, longitude first: LON,LAT")
            }
            self = .degrees(Coordinate(longitude: numbers[0], latitude: numbers[1]), text: text)
        case (nil, nil):
            throw CommandFailure(.usage, "say which point is meant, with --at X,Y or --lonlat LON,LAT")
        case (_?, _?): throw CommandFailure(.usage, "give only one of --at and --lonlat")
        }
    }

    /// The point as a centre of a view.
    package var degreesText: String? { if case .degrees(_, let text) = self { text } else { nil } }

    /// The point as a pixel of a view, which must show it.
    package func pixel(in viewport: Viewport) throws(CommandFailure) -> Point {
        let width = Double(viewport.size.width), height = Double(viewport.size.height)
        func isShown(_ point: Point) -> Bool {
            point.x >= 0 && point.y >= 0 && point.x <= width && point.y <= height
        }
        switch self {
        case .pixel(let point):
            guard isShown(point) else {
                throw CommandFailure(
                    .usage,
                    "--at \(NumberText.decimal(point.x)),\(NumberText.decimal(point.y)) is not in the picture of "
                        + "\(viewport.size.width)x\(viewport.size.height) pixels")
            }
            return point
        case .degrees(let place, let text):
            let transform: CoordinateTransform
            do { transform = try CoordinateTransform(from: .crs84, to: viewport.crs) } catch {
                throw CommandFailure(.usage, "--lonlat \(text): \(error)")
            }
            guard var coordinate = transform(place) else {
                throw CommandFailure(.usage, "--lonlat \(text) lies outside what \(viewport.crs) has")
            }
            // The view may show the place in another copy of the world.
            if let width = viewport.crs.worldWidth { coordinate.x -= (coordinate.x / width).rounded() * width }
            for shift in worldShifts(of: viewport.crs, in: viewport.extent).sorted(by: { abs($0) < abs($1) }) {
                let point = viewport.pixel(of: Coordinate(x: coordinate.x + shift, y: coordinate.y))
                if isShown(point) { return point }
            }
            throw CommandFailure(
                .usage,
                "--lonlat \(text) lies outside the view; move it there with --center, or leave that out and give --zoom"
            )
        }
    }
}
