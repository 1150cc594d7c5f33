import Foundation
import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanFormats

/// Reads each file of a folder by its file extension: formats that Portolan reads itself, on one thread.
struct FormatsScene {
    /// The folder.
    let folder: String

    /// Measures reading each whole file from disk, and prints a line for each.
    func time() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        for name in names {
            let path = folder + "/" + name, suffix = name.split(separator: ".").last.map(String.init) ?? ""
            guard let read = Self.reader(suffix) else { continue }
            let status = FileStatus.peakMegabytes
            var walls: [Double] = [], processors: [Double] = [], count = 0
            let start = ContinuousClock.now
            while walls.count < 5, walls.count < 1 || start.duration(to: .now) < .seconds(5) {
                let begin = ContinuousClock.now, processor = SceneClock.processorMilliseconds
                count = try read(path)
                walls.append(begin.duration(to: .now) / .milliseconds(1))
                processors.append(SceneClock.processorMilliseconds - processor)
            }
            let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
            SceneClock.report(
                "formats-\(suffix)",
                [
                    ("features", Double(count)), ("mb", Double(size) / 1e6), ("portolan_ms", SceneClock.median(walls)),
                    ("cpu_ms", SceneClock.median(processors)), ("peak_mb", max(FileStatus.peakMegabytes - status, 0)),
                ])
        }
    }

    /// Returns the reader of a file format, which returns the number of features.
    private static func reader(_ suffix: String) -> ((String) throws -> Int)? {
        switch suffix {
        case "gpkg":
            return { try GeoPackageFeatures(path: $0).read(FeatureQuery(), limits: FeatureLimits()).features.count }
        case "shp":
            return { try Shapefile(path: $0).read(FeatureQuery(), limits: FeatureLimits()).features.count }
        case "geojson", "geojsonl", "kml", "gml", "gpx", "fgb", "wkb", "csv":
            return { try FeatureFormats.standard.read(contentsOf: $0).features.count }
        default: return nil
        }
    }
}

/// The memory of the process according to the system.
enum FileStatus {
    /// The peak resident memory of the process, in megabytes.
    static var peakMegabytes: Double { megabytes("VmHWM") }
    /// The resident memory in megabytes after the allocator has returned free memory.
    static var residentMegabytes: Double {
        // The Glibc module does not declare it.
        if let trim = dlsym(nil, "malloc_trim") {
            _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
        }
        return megabytes("VmRSS")
    }

    private static func megabytes(_ name: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") where line.hasPrefix(name) {
            let kilobytes = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }.first ?? 0
            return kilobytes * 1024 / 1e6
        }
        return 0
    }
}
