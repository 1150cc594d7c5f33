#if GDAL
import CGDAL
import PortolanFeatures
import PortolanFormats
import PortolanGeo

extension GDALDataset {
    private static let layerLimit: Int32 = 1000
    private static let fieldLimit: Int32 = 2000
    /// The maximum size of a geometry in bytes.
    private static let geometryLimit = 256 << 20

    /// Returns the layers with geometries, each with a note about its CRS.
    func layers() throws(FeatureFileError) -> [(description: FeatureLayerDescription, note: String?)] {
        GDALLibrary.calling {
            (0..<min(unsafe GDALDatasetGetLayerCount(handle), Self.layerLimit)).compactMap { index in
                guard let layer = unsafe GDALDatasetGetLayer(handle, index), unsafe OGR_L_GetGeomType(layer) != wkbNone
                else { return nil }
                let system = unsafe GDALSystem(OGR_L_GetSpatialRef(layer))
                // The count is omitted if it would require reading.
                let count = unsafe OGR_L_GetFeatureCount(layer, 0)
                let isPlain = system.crs == .epsg4326 || system.crs == .crs84
                return (
                    FeatureLayerDescription(
                        name: unsafe String(cString: OGR_L_GetName(layer)), crs: isPlain ? nil : system.crs,
                        featureCount: count < 0 ? nil : Int(count)), system.note
                )
            }
        }
    }

    /// Passes the features of a layer one by one, with their indices from 1 and the reason for a missing geometry.
    func read(
        _ name: String, in box: BoundingBox?, limits: FeatureLimits,
        _ take: (Feature, Int, _ fault: String?) throws(FeatureFileError) -> Void
    ) throws {
        try GDALLibrary.calling {
            guard let layer = unsafe GDALDatasetGetLayerByName(handle, name) else {
                throw FeatureFileError(
                    .unreadable, in: driver, GDALLibrary.fault?.words ?? "missing layer '\(name)'")
            }
            let isNorthFirst = unsafe GDALSystem(OGR_L_GetSpatialRef(layer)).isNorthFirst
            if let box {
                if isNorthFirst {
                    unsafe OGR_L_SetSpatialFilterRect(layer, box.minY, box.minX, box.maxY, box.maxX)
                } else {
                    unsafe OGR_L_SetSpatialFilterRect(layer, box.minX, box.minY, box.maxX, box.maxY)
                }
            } else {
                unsafe OGR_L_SetSpatialFilter(layer, nil)
            }
            let fields = unsafe Self.fields(of: layer)
            unsafe OGR_L_ResetReading(layer)
            GDALLibrary.forget()
            var number = 0, bytes: [UInt8] = []
            while let handle = unsafe OGR_L_GetNextFeature(layer) {
                defer { unsafe OGR_F_Destroy(handle) }
                number += 1
                try Task.checkCancellation()
                let key = unsafe OGR_F_GetFID(handle)
                var feature = Feature(id: key == OGRNullFID ? nil : .integer(Int(key)), geometry: nil)
                var fault: String?
                if let shape = unsafe OGR_F_GetGeometryRef(handle) {
                    if isNorthFirst { unsafe OGR_G_SwapXY(shape) }
                    do throws(FeatureFileError) {
                        feature.geometry = unsafe try Self.geometry(shape, &bytes, limits)
                    } catch {
                        guard error.code != .limitExceeded else { throw error }
                        fault = error.detail
                    }
                }
                for field in fields {
                    if let value = unsafe field.value(in: handle) { feature.properties[field.name] = value }
                }
                try take(feature, number, fault)
            }
            if let failed = GDALLibrary.fault {
                throw FeatureFileError(
                    failed.isMemory ? .memory : .malformed, in: driver, at: .record(number + 1), failed.words)
            }
        }
    }

    /// Returns a geometry from well-known binary, in a reusable buffer.
    private static func geometry(
        _ shape: OGRGeometryH, _ bytes: inout [UInt8], _ limits: FeatureLimits
    ) throws(FeatureFileError) -> Geometry? {
        let count = unsafe Int(OGR_G_WkbSizeEx(shape))
        guard count <= geometryLimit else {
            throw FeatureFileError(.unsupported, in: "WKB", "it exceeds \(geometryLimit) bytes")
        }
        if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
        // The library writes exactly the number of bytes that it has reported.
        let result = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe OGR_G_ExportToIsoWkb(shape, wkbNDR, buffer.baseAddress)
        }
        guard result == OGRERR_NONE else { throw FeatureFileError(.unsupported, in: "WKB", "it has no binary form") }
        let geometry = try WKB.read(bytes, limits: limits).geometry
        return geometry.isEmpty ? nil : geometry
    }

    private static func fields(of layer: OGRLayerH) -> [GDALField] {
        guard let definition = unsafe OGR_L_GetLayerDefn(layer) else { return [] }
        return (0..<min(unsafe OGR_FD_GetFieldCount(definition), fieldLimit)).compactMap { index in
            guard let field = unsafe OGR_FD_GetFieldDefn(definition, index) else { return nil }
            return unsafe GDALField(
                index: index, name: String(cString: OGR_Fld_GetNameRef(field)), type: OGR_Fld_GetType(field),
                isBoolean: OGR_Fld_GetSubType(field) == OFSTBoolean)
        }
    }
}

/// A field of a layer.
private struct GDALField {
    let index: Int32
    let name: String
    let type: OGRFieldType
    let isBoolean: Bool

    /// Returns the value in a feature, or `nil` if it is not set or binary.
    func value(in feature: OGRFeatureH) -> PropertyValue? {
        guard unsafe OGR_F_IsFieldSet(feature, index) != 0 else { return nil }
        guard unsafe OGR_F_IsFieldNull(feature, index) == 0 else { return .null }
        func number(_ value: Double) -> PropertyValue { value.isFinite ? .number(value) : .null }
        func list<Element>(
            _ pointer: UnsafePointer<Element>?, _ count: Int32, _ value: (Element) -> PropertyValue
        ) -> PropertyValue {
            guard let pointer = unsafe pointer, count > 0 else { return .array([]) }
            return .array((0..<Int(count)).map { value(unsafe pointer[$0]) })
        }
        var count: Int32 = 0
        switch type {
        case OFTInteger, OFTInteger64:
            let value = unsafe OGR_F_GetFieldAsInteger64(feature, index)
            return isBoolean ? .bool(value != 0) : .integer(Int(value))
        case OFTReal: return number(unsafe OGR_F_GetFieldAsDouble(feature, index))
        case OFTIntegerList:
            let values = unsafe OGR_F_GetFieldAsIntegerList(feature, index, &count)
            return unsafe list(values, count) { isBoolean ? .bool($0 != 0) : .integer(Int($0)) }
        case OFTInteger64List:
            let values = unsafe OGR_F_GetFieldAsInteger64List(feature, index, &count)
            return unsafe list(values, count) { .integer(Int($0)) }
        case OFTRealList:
            let values = unsafe OGR_F_GetFieldAsDoubleList(feature, index, &count)
            return unsafe list(values, count, number)
        case OFTStringList:
            guard let texts = unsafe OGR_F_GetFieldAsStringList(feature, index) else { return .array([]) }
            return .array(
                (0..<Int(unsafe CSLCount(texts))).compactMap { index in
                    unsafe texts[index].map { .string(unsafe String(cString: $0)) }
                })
        case OFTBinary: return nil
        case OFTDate, OFTTime, OFTDateTime:
            return unsafe time(in: feature).map { .string($0) }
        default: return unsafe OGR_F_GetFieldAsString(feature, index).map { .string(unsafe String(cString: $0)) }
        }
    }

    /// Returns a date, a time of day or both in the format of RFC 3339; without a time zone if unknown.
    private func time(in feature: OGRFeatureH) -> String? {
        var (year, month, day, hour, minute, zone) = (Int32(0), Int32(0), Int32(0), Int32(0), Int32(0), Int32(0))
        var second: Float = 0
        guard
            unsafe OGR_F_GetFieldAsDateTimeEx(feature, index, &year, &month, &day, &hour, &minute, &second, &zone) != 0
        else { return nil }
        func two(_ number: some BinaryInteger) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let yearText = String(repeating: "0", count: max(4 - String(year).count, 0)) + String(year)
        let date = "\(yearText)-\(two(month))-\(two(day))"
        if type == OFTDate { return date }
        // The library has at most thousandths of a second.
        let thousandths = Int((Double(second) * 1000).rounded())
        var time = "\(two(hour)):\(two(minute)):\(two(thousandths / 1000))"
        if !thousandths.isMultiple(of: 1000) { time += "." + String(String(1000 + thousandths % 1000).dropFirst()) }
        if type == OFTTime { return time }
        // 100 is UTC, and each further unit a quarter of an hour east; 0 and 1 mean unknown and local time.
        if zone == 100 {
            time += "Z"
        } else if zone > 1 {
            let minutes = (Int(zone) - 100) * 15
            time += "\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
        }
        return "\(date)T\(time)"
    }
}
#endif
