import Foundation
import PortolanRaster
import TestHelpers

@testable import PortolanFeatures

/// Elevations in UTM, and what gdaldem and gdal_contour made of them; see `Fixtures/relief/make`.
struct GDALRelief: Decodable {
    struct Contour: Decodable {
        let elevation: Double
        let points: [[Double]]
    }

    let width, height: Int
    let transform: [Double]
    let elevations: [Float]
    let contours: [Contour]
    private let results: [String: [Double]]

    static let shared = Result {
        try JSONDecoder().decode(GDALRelief.self, from: Data(Fixture.bytes("relief/gdal.json")))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func value<Value: Decodable>(_ name: String) throws -> Value {
            try members.decode(Value.self, forKey: Key(stringValue: name))
        }
        (width, height) = (try value("width"), try value("height"))
        (transform, elevations) = (try value("transform"), try value("elevations"))
        contours = try value("contours")
        var results: [String: [Double]] = [:]
        for key in members.allKeys
        where !["gdal", "width", "height", "transform", "elevations", "contours"].contains(key.stringValue) {
            results[key.stringValue] = try value(key.stringValue)
        }
        self.results = results
    }

    var grid: RasterValues {
        var grid = RasterValues(width: width, height: height)
        grid.values = elevations
        return grid
    }

    var spacing: GroundSpacing { GroundSpacing(eastward: transform[1], southward: -transform[5], rowCount: height) }

    /// The inner samples that GDAL computes, with the gradient there.
    func compare(
        _ mode: String, _ formula: TerrainGradient.Formula = .horn, factor: Double = 1,
        _ body: (_ east: Double, _ north: Double, _ expected: Double) -> Void
    ) throws {
        let gradient = TerrainGradient(grid, spacing: spacing, formula: formula, factor: factor)
        guard let expected = results[mode] else { throw CocoaError(.keyValueValidation) }
        for row in 1..<height - 1 {
            for column in 1..<width - 1 {
                guard let rise = gradient(column, row) else { continue }
                body(rise.east, rise.north, expected[row * width + column])
            }
        }
    }
}
