import Foundation
import PortolanFeatures
import Testing

@testable import PortolanStyles

/// The bounds of mapclassify 2.10 (PySAL) for 50 data sets of five distributions, in `Fixtures/mapclassify.json`.
struct ClassificationTests {
    private struct DataSet: Decodable {
        let kind: String
        let count: Int
        let values: [Double]
        let quantile: [Double]
        let equal: [Double]
        let jenks: [Double]
        let pretty: [Double]

        func bounds(_ method: Classification.Method) -> [Double] {
            switch method {
            case .quantile: quantile
            case .equal: equal
            case .jenks: jenks
            case .pretty: pretty
            case .log: []
            }
        }
    }

    private static let sets: [DataSet] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/mapclassify.json")
        return (try? JSONDecoder().decode([DataSet].self, from: Data(contentsOf: file))) ?? []
    }()

    @Test(arguments: [Classification.Method.quantile, .equal, .jenks, .pretty])
    func `bounds are those of mapclassify for fifty data sets`(method: Classification.Method) throws {
        #expect(Self.sets.count == 50)
        for set in Self.sets {
            let classes = try #require(Classification(set.values, count: set.count, by: method))
            let wanted = set.bounds(method)
            #expect(classes.upperBounds.count == wanted.count, "\(set.kind), \(set.count) classes")
            let scale = set.values.map(abs).max() ?? 1
            #expect(
                zip(classes.upperBounds, wanted).allSatisfy { abs($0 - $1) <= 1e-12 * scale },
                "\(set.kind), \(set.count) classes: \(classes.upperBounds) instead of \(wanted)")
            // Members of classes are equal, too.
            func members(_ bounds: [Double]) -> [Int] {
                set.values.map { value in bounds.firstIndex { value <= $0 } ?? bounds.count - 1 }
            }
            #expect(set.values.map(classes.index) == members(wanted))
        }
    }

    @Test func `classes by ratio have a constant ratio of their bounds`() throws {
        let classes = try #require(Classification([1, 5, 10, 100, 1000], count: 3, by: .log))
        #expect(zip(classes.upperBounds, [10, 100, 1000]).allSatisfy { abs($0 - $1) < 1e-9 })
        // Values without a logarithm are in the first class.
        let mixed = try #require(Classification([-5, 0, 1, 100], count: 2, by: .log))
        #expect(mixed.index(of: -5) == 0 && mixed.index(of: 100) == 1 && abs(mixed.upperBounds[0] - 10) < 1e-9)
    }

    @Test(arguments: Classification.Method.allCases)
    func `few, equal, huge and missing numbers give fewer classes or none`(method: Classification.Method) throws {
        #expect(Classification([], count: 3, by: method) == nil)
        #expect(Classification([.nan, .infinity], count: 3, by: method) == nil)
        #expect(Classification([1, 2], count: 0, by: method) == nil)
        #expect(Classification([7, 7, 7], count: 3, by: method)?.upperBounds == [7])
        let huge = [-Double.greatestFiniteMagnitude, 0, .greatestFiniteMagnitude]
        let classes = try #require(Classification(huge, count: 4, by: method))
        #expect(classes.upperBounds.allSatisfy { $0.isFinite })
        for value in huge { #expect((0..<classes.upperBounds.count).contains(classes.index(of: value))) }
        let tiny = try #require(Classification([0, .leastNonzeroMagnitude], count: 5, by: method))
        #expect(!tiny.upperBounds.isEmpty)
    }

    @Test func `natural breaks of a hundred thousand numbers have no better neighbour`() throws {
        var state: UInt64 = 1
        let values = (0..<100_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return pow(Double(state >> 40) / 0x1p24, 3) * 1000
        }.sorted()
        let classes = try #require(Classification(values, count: 6, by: .jenks))
        func deviation(_ bounds: [Double]) -> Double {
            var sums = [Double](repeating: 0, count: bounds.count), squares = sums, counts = sums
            for value in values {
                let place = bounds.firstIndex { value <= $0 } ?? bounds.count - 1
                (sums[place], squares[place], counts[place]) = (
                    sums[place] + value, squares[place] + value * value, counts[place] + 1
                )
            }
            return zip(zip(sums, squares), counts).reduce(0) { $0 + $1.0.1 - $1.0.0 * $1.0.0 / max($1.1, 1) }
        }
        let best = deviation(classes.upperBounds)
        for place in 0..<5 {
            for factor in [0.98, 1.02] {
                var moved = classes.upperBounds
                moved[place] *= factor
                #expect(deviation(moved) > best)
            }
        }
    }

    @Test(arguments: [
        ([0.0, 1234, 56_789, 1_000_000], "en", ["0 – 1,234", "1,234 – 56,789", "56,789 – 1,000,000"]),
        ([0.0, 1234, 56_789, 1_000_000], "de", ["0 – 1.234", "1.234 – 56.789", "56.789 – 1.000.000"]),
        ([0.1, 0.333333333, 0.666666666], "en", ["0.1 – 0.333", "0.333 – 0.667"]),
        ([0, 33.3333333333, 100], "en", ["0 – 33", "33 – 100"]), ([-2.5, 0, 7], "en", ["-2.5 – 0", "0 – 7"]),
    ])
    func `titles have the decimals that distinguish classes`(bounds: [Double], tag: String, titles: [String]) throws {
        let classes = try #require(Classification(bounds: bounds))
        #expect(classes.titles(LabelLanguage(tag)) == titles)
    }

    @Test(arguments: [
        ([0.0, 1000.5, 90_000], "en", ["0.0 – 1,000.5", "1,000.5 – 90,000.0"]),
        ([0.0, 1000.5, 90_000], "de", ["0,0 – 1.000,5", "1.000,5 – 90.000,0"]),
        ([0.2, 5, 20], "en", ["0.2 – 5.0", "5.0 – 20.0"]), ([1.0, 10, 100], "en", ["1 – 10", "10 – 100"]),
    ])
    func `titles show stated bounds as they are`(bounds: [Double], tag: String, titles: [String]) throws {
        let classes = try #require(Classification(bounds: bounds, areStated: true))
        let texts = classes.titles(LabelLanguage(tag)).map { $0.replacing(tag == "de" ? ",0" : ".0", with: "") }
        #expect(texts == titles.map { $0.replacing(tag == "de" ? ",0" : ".0", with: "") })
    }
}
