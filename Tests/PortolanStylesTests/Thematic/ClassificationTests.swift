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

    @Test(arguments: [Classification.Method.quantile, .equal, .jenks, .log])
    func `round bounds are near the computed ones, and part the values as those do unless they are close`(
        method: Classification.Method
    ) throws {
        for set in Self.sets {
            let exact = try #require(Classification(set.values, count: set.count, by: method))
            let round = exact.withRoundBounds(for: set.values)
            #expect(round.upperBounds.count == exact.upperBounds.count)
            let all = [exact.minimum] + exact.upperBounds, shown = [round.minimum] + round.upperBounds
            for place in all.indices.dropFirst().dropLast() {
                let width = min(all[place] - all[place - 1], all[place + 1] - all[place])
                #expect(abs(shown[place] - all[place]) <= width / 20)
            }
            for value in set.values where exact.index(of: value) != round.index(of: value) {
                let near = all.map { abs($0 - value) }.min() ?? 0
                #expect(zip(all, all.dropFirst()).contains { near <= ($1 - $0) / 100 })
            }
            #expect(shown[0] <= all[0] && shown[shown.count - 1] >= all[all.count - 1])
        }
    }

    @Test(
        arguments: [
            // Populations: no value lies between a computed bound and the shown one.
            (
                [
                    140, 5_811_000, 21_803_000, 25_364_000, 69_625_582, 83_132_799, 144_373_535, 207_000_000,
                    270_625_568,
                    1_397_715_000,
                ], .jenks, 4,
                [
                    "140 – 26,000,000", "26,000,000 – 150,000,000", "150,000,000 – 271,000,000",
                    "271,000,000 – 1,400,000,000",
                ]
            ),
            // Years keep the digits that tell them apart.
            (
                [1950, 1964, 1978, 1992, 2020], .equal, 5,
                [
                    "1,950 – 1,964", "1,964 – 1,978", "1,978 – 1,992", "1,992 – 2,006", "2,006 – 2,020",
                ]
            ),
            ([0.137, 0.248, 0.359, 0.471, 0.583, 0.92], .quantile, 3, ["0.137 – 0.32", "0.32 – 0.5", "0.5 – 0.92"]),
            ([-12.34, -3.1, 0.4, 7.7, 45.67], .equal, 2, ["-12.4 – 17", "17 – 45.7"]),
        ] as [([Double], Classification.Method, Int, [String])])
    func `classes are shown with round bounds`(
        values: [Double], method: Classification.Method, count: Int, titles: [String]
    ) throws {
        let classes = try #require(Classification(values, count: count, by: method))
        let round = classes.withRoundBounds(for: values)
        #expect(round.titles(nil) == titles)
        #expect(values.map(round.index) == values.map(classes.index))
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
