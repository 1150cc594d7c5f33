#if GDAL
import CGDAL
import Foundation
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb

/// An open GDAL dataset, for one thread at a time.
///
/// The handle is valid from `init` to `deinit` and never leaves the dataset, so the class is safe.
@safe final class GDALDataset {
    /// The content for which a dataset is opened.
    enum Content {
        case features
        case raster

        var drivers: [String] { self == .features ? GDALDrivers.features : GDALDrivers.rasters }
        var flag: UInt32 { UInt32(self == .features ? GDAL_OF_VECTOR : GDAL_OF_RASTER) }
        var words: String { self == .features ? "features" : "an image" }
    }

    let handle: GDALDatasetH
    /// The name of the driver.
    let driver: String

    /// Opens a local file or folder for reading.
    ///
    /// - Parameter driver: the only driver that may open it, or `nil` for all of ``GDALDrivers``.
    init(path: String, _ content: Content, driver: String? = nil) throws(FeatureFileError) {
        let path = try Self.checked(path)
        if let driver, !content.drivers.contains(driver) {
            throw FeatureFileError(
                .unsupported, in: driver,
                "no such driver for \(content.words); available: \(content.drivers.joined(separator: ", "))")
        }
        let allowed = driver.map { [$0] } ?? content.drivers
        let opened = unsafe GDALLibrary.calling { () -> (GDALDatasetH?, String, (isMemory: Bool, words: String)?) in
            let names = unsafe Self.list(allowed)
            defer { unsafe CSLDestroy(names) }
            // A database without a write-ahead log is opened as immutable, so that no auxiliary files are written.
            let options = unsafe Self.list(Self.isDatabaseAtRest(path) ? ["IMMUTABLE=YES"] : [])
            defer { unsafe CSLDestroy(options) }
            let flags = content.flag | UInt32(GDAL_OF_READONLY) | UInt32(GDAL_OF_VERBOSE_ERROR)
            let siblings = unsafe Self.list(content == .raster ? Self.companions(of: path) : [])
            defer { unsafe CSLDestroy(siblings) }
            let handle = unsafe GDALOpenEx(
                path, flags, Self.constant(names), Self.constant(options), Self.constant(siblings))
            let name = unsafe handle.flatMap { unsafe GDALGetDatasetDriver($0) }.flatMap {
                unsafe GDALGetDriverShortName($0)
            }
            .map { unsafe String(cString: $0) }
            return unsafe (handle, name ?? "GDAL", GDALLibrary.fault)
        }
        guard let handle = unsafe opened.0 else { throw unsafe Self.refusal(of: path, content, opened.2) }
        unsafe self.handle = handle
        self.driver = unsafe opened.1
    }

    deinit { GDALLibrary.calling { unsafe GDALClose(handle) } }

    /// Returns the absolute path of an existing file or folder.
    ///
    /// GDAL's special names (`http://…`, `/vsicurl/…`, `PG:…`) are rejected: an absolute path to an existing file never
    /// has their form.
    private static func checked(_ path: String) throws(FeatureFileError) -> String {
        let whole = URL(filePath: path).standardizedFileURL.path
        guard !path.isEmpty, !path.utf8.contains(0), !whole.hasPrefix("/vsi"),
            FileManager.default.fileExists(atPath: whole)
        else {
            throw FeatureFileError(.unreadable, in: "GDAL", "no file '\(path)'")
        }
        return whole
    }

    /// Returns whether one of the drivers recognises a file.
    static func recognizes(_ path: String, _ content: Content) -> Bool {
        guard let path = try? checked(path) else { return false }
        return GDALLibrary.calling {
            let names = unsafe list(content.drivers)
            defer { unsafe CSLDestroy(names) }
            return unsafe GDALIdentifyDriverEx(path, content.flag, constant(names), nil) != nil
        }
    }

    /// Returns the names of an image and of the sidecar files that may be opened with it.
    ///
    /// GDAL would open overviews and masks with any driver, so they are included only if they begin like TIFF.
    private static func companions(of path: String) -> [String] {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let folder = path.dropLast(name.utf8.count)
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        let worlds = ["tfw", "tifw", "wld", "pgw", "pngw", "jgw", "jpgw", "j2w", "jp2w"]
        var names = [name]
        names += (worlds + worlds.map { $0.uppercased() }).map { "\(stem).\($0)" }
            .filter { FileManager.default.fileExists(atPath: folder + $0) }
        names += ["ovr", "msk", "msk.ovr"].map { "\(name).\($0)" }.filter { isTIFF(folder + $0) }
        return names
    }

    private static func isTIFF(_ path: String) -> Bool {
        guard let start = try? LocalFile(at: path).start(4) else { return false }
        return [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]]
            .contains(start)
    }

    private static func isDatabaseAtRest(_ path: String) -> Bool {
        !["-wal", "-journal"].contains { FileManager.default.fileExists(atPath: path + $0) }
    }

    private static func refusal(
        of path: String, _ content: Content, _ fault: (isMemory: Bool, words: String)?
    ) -> FeatureFileError {
        let other = GDALLibrary.calling { () -> String? in
            unsafe GDALIdentifyDriverEx(path, content.flag, nil, nil).flatMap { unsafe GDALGetDriverShortName($0) }
                .map { unsafe String(cString: $0) }
        }
        if let fault, fault.isMemory { return FeatureFileError(.memory, in: other ?? "GDAL", fault.words) }
        guard let other else {
            return FeatureFileError(.otherFormat, in: "GDAL", "no driver reads it as \(content.words)")
        }
        guard content.drivers.contains(other) else {
            return FeatureFileError(
                .unsupported, in: other,
                "refused: its driver follows references to other files, or Portolan reads it without GDAL")
        }
        return FeatureFileError(.malformed, in: other, fault?.words ?? "cannot open it")
    }

    private static func list(_ texts: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        for text in texts { unsafe list = CSLAddString(list, text) }
        return unsafe list
    }

    private static func constant(
        _ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> UnsafePointer<UnsafePointer<CChar>?>? {
        unsafe UnsafeRawPointer(list)?.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
    }
}

/// The CRS of a layer or image, and whether its coordinates have y first.
struct GDALSystem {
    /// The CRS, or `nil` if it is unspecified.
    let crs: CRS?
    let isNorthFirst: Bool
    /// A note about an unknown CRS.
    let note: String?

    init(_ reference: OGRSpatialReferenceH?) {
        guard let reference = unsafe reference else {
            crs = nil
            isNorthFirst = false
            note = nil
            return
        }
        func text(_ pointer: UnsafePointer<CChar>?) -> String? { unsafe pointer.map { unsafe String(cString: $0) } }
        isNorthFirst = unsafe Self.isNorthFirst(reference)
        if let known = unsafe Self.known(reference) {
            crs = known
            note = nil
            return
        }
        var written: UnsafeMutablePointer<CChar>?
        let isWritten = unsafe OSRExportToWkt(reference, &written) == OGRERR_NONE
        defer { unsafe VSIFree(written) }
        let words = isWritten ? unsafe written.map { unsafe String(cString: $0) } : nil
        let name = unsafe text(OSRGetName(reference)) ?? "unnamed"
        if let words, let read = try? CRS(wellKnownText: words) {
            crs = read
            note = nil
        } else {
            crs = CRS(name: name, axisOrder: .eastNorth, unit: .meter)
            note = "unknown CRS '\(name.prefix(100))'"
        }
    }

    /// Returns the CRS by the code of a reference, or by the matching code in PROJ's database.
    private static func known(_ reference: OGRSpatialReferenceH) -> CRS? {
        func coded(_ reference: OGRSpatialReferenceH) -> CRS? {
            guard let authority = unsafe OSRGetAuthorityName(reference, nil),
                let code = unsafe OSRGetAuthorityCode(reference, nil)
            else { return nil }
            let crs = try? CRS("\(unsafe String(cString: authority)):\(unsafe String(cString: code))")
            return crs?.projection == nil ? nil : crs
        }
        if let crs = unsafe coded(reference) { return crs }
        var count: Int32 = 0, confidences: UnsafeMutablePointer<Int32>?
        let matches = unsafe OSRFindMatches(reference, nil, &count, &confidences)
        defer {
            unsafe OSRFreeSRSArray(matches)
            unsafe VSIFree(confidences)
        }
        guard count > 0, let matches = unsafe matches, let confidences = unsafe confidences else { return nil }
        // Systems with a confidence of seventy percent or less match only in name or in numbers.
        guard unsafe confidences[0] >= 90, let best = unsafe matches[0] else { return nil }
        return unsafe coded(best)
    }

    /// Returns whether the first coordinate of a layer is a latitude or northing.
    private static func isNorthFirst(_ reference: OGRSpatialReferenceH) -> Bool {
        guard unsafe OSRGetAxisMappingStrategy(reference) != OAMS_TRADITIONAL_GIS_ORDER else { return false }
        var count: Int32 = 0
        let mapping = unsafe OSRGetDataAxisToSRSAxisMapping(reference, &count)
        guard count >= 2, let mapping = unsafe mapping else { return false }
        func points(_ index: Int) -> OGRAxisOrientation {
            var orientation = OAO_Other
            _ = unsafe OSRGetAxis(reference, nil, abs(mapping[index]) - 1, &orientation)
            return orientation
        }
        return points(0) == OAO_North && points(1) == OAO_East
    }
}
#endif
