#if PROJ
import CPROJ
import PortolanGeo

/// The properties of a system, read from PROJ's objects.
struct PROJDefinition: Sendable {
    /// An area of use, in degrees.
    struct Area: Sendable {
        var middle = 0.0
        var halfWidth = 180.0
        var latitudes = -90.0...90.0
    }

    let name: String
    let axisOrder: CRS.AxisOrder
    let unit: CRS.Unit
    let area: Area
    /// The central meridian of the projection, if it has one.
    let centralMeridian: Double?
    /// The definition in ESRI's well-known text, or `nil` if that has none.
    let esriText: String?
}

/// A PROJ context, for one thread at a time.
///
/// The context is valid from `init` to `deinit`, and every object is created, used and destroyed within that time, so
/// the class is safe.
@safe final class PROJContext {
    fileprivate let context: OpaquePointer?

    init() {
        guard let context = unsafe proj_context_create() else {
            unsafe self.context = nil
            return
        }
        unsafe proj_context_set_enable_network(context, 0)
        // PROJ would write messages to standard error.
        unsafe proj_log_func(context, nil) { _, _, _ in }
        guard unsafe PROJFiles.guardFiles(of: context) else {
            unsafe proj_context_destroy(context)
            unsafe self.context = nil
            return
        }
        unsafe self.context = context
    }

    deinit {
        if let context = unsafe context { unsafe proj_context_destroy(context) }
    }

    /// A PROJ object that is destroyed with its value.
    @safe fileprivate final class Object {
        let pointer: OpaquePointer
        init?(_ pointer: OpaquePointer?) {
            guard let pointer = unsafe pointer else { return nil }
            unsafe self.pointer = pointer
        }
        deinit { unsafe proj_destroy(pointer) }
    }

    private func object(of source: PROJSource) -> Object? {
        guard unsafe context != nil else { return nil }
        let object: Object?
        switch source {
        case .code(let authority, let code):
            object = unsafe Object(
                proj_create_from_database(context, authority, code, PJ_CATEGORY_CRS, 0, nil))
        case .wellKnownText(let text): object = unsafe Object(proj_create_from_wkt(context, text, nil, nil, nil))
        // Without the type it would be the operation alone.
        case .projString(let text): object = unsafe Object(proj_create(context, text + " +type=crs"))
        }
        guard let object, unsafe proj_is_crs(object.pointer) != 0 else { return nil }
        return object
    }

    /// Returns the horizontal part of a system, and the same without a datum shift that was specified with it.
    private func plane(of whole: Object) -> (target: Object, plain: Object)? {
        var target = whole
        if unsafe proj_get_type(target.pointer) == PJ_TYPE_COMPOUND_CRS {
            guard let part = unsafe Object(proj_crs_get_sub_crs(context, target.pointer, 0)) else { return nil }
            target = part
        }
        var plain = target
        if unsafe proj_get_type(plain.pointer) == PJ_TYPE_BOUND_CRS {
            guard let base = unsafe Object(proj_get_source_crs(context, plain.pointer)) else { return nil }
            plain = base
        }
        return (target, plain)
    }

    /// Returns the definition of a system, or `nil` if the source does not describe one.
    func definition(of source: PROJSource) throws(CRSError) -> PROJDefinition? {
        guard let whole = object(of: source) else { return nil }
        let name = self.name(of: whole, source)
        func unsupported(_ reason: String) -> CRSError { .unsupported(name, reason: reason) }
        guard let (_, plain) = plane(of: whole) else { throw unsupported("not a plane map CRS") }
        let type = unsafe proj_get_type(plain.pointer)
        guard type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_PROJECTED_CRS else {
            throw unsupported("not a projected or geographic CRS")
        }
        let axes = try axes(of: plain, name)
        // Between the datums of two planets, PROJ would treat degrees as equal.
        guard isOfEarth(plain) else { throw unsupported("a CRS of another celestial body") }
        return PROJDefinition(
            name: name, axisOrder: axes.order, unit: axes.unit, area: area(of: plain),
            centralMeridian: type == PJ_TYPE_PROJECTED_CRS ? centralMeridian(of: plain) : 0,
            // `nil` for methods that ESRI's text lacks; PROJ keeps the text with the object.
            esriText: unsafe proj_as_wkt(context, plain.pointer, PJ_WKT1_ESRI, nil).map {
                unsafe String(cString: $0)
            })
    }

    private func name(of object: Object, _ source: PROJSource) -> String {
        func text(_ pointer: UnsafePointer<CChar>?) -> String? { unsafe pointer.map { unsafe String(cString: $0) } }
        switch source {
        case .code(let authority, let code): return "\(authority):\(code)"
        case .projString(let text): return text
        case .wellKnownText:
            if let authority = unsafe text(proj_get_id_auth_name(object.pointer, 0)),
                let code = unsafe text(proj_get_id_code(object.pointer, 0))
            {
                return "\(authority):\(code)"
            }
            return unsafe text(proj_get_name(object.pointer)) ?? "unnamed"
        }
    }

    private func axes(of plain: Object, _ name: String) throws(CRSError) -> (order: CRS.AxisOrder, unit: CRS.Unit) {
        struct Axis {
            var name = "", direction = ""
            var factor = 0.0
        }
        func axes(_ object: Object) -> [Axis] {
            guard let system = unsafe Object(proj_crs_get_coordinate_system(context, object.pointer)),
                unsafe proj_cs_get_axis_count(context, system.pointer) == 2
            else { return [] }
            return (0..<Int32(2)).compactMap { index in
                var name: UnsafePointer<CChar>?, direction: UnsafePointer<CChar>?
                var axis = Axis()
                guard
                    unsafe proj_cs_get_axis_info(
                        context, system.pointer, index, &name, nil, &direction, &axis.factor, nil, nil, nil) != 0,
                    let name = unsafe name, let direction = unsafe direction
                else { return nil }
                unsafe axis.name = String(cString: name)
                unsafe axis.direction = String(cString: direction)
                return axis
            }
        }
        // PROJ decides which axis is x, also at the poles, where both point in the same direction.
        guard let normal = unsafe Object(proj_normalize_for_visualization(context, plain.pointer)) else {
            throw .unsupported(name, reason: "its axes cannot be ordered")
        }
        let written = axes(plain), ordered = axes(normal)
        guard written.count == 2, ordered.count == 2 else {
            throw .unsupported(name, reason: "it does not have two axes")
        }
        let directions = ordered.map(\.direction)
        guard [["east", "north"], ["north", "north"], ["south", "south"]].contains(directions) else {
            throw .unsupported(name, reason: "its axes point \(directions.joined(separator: " and "))")
        }
        let factor = ordered[0].factor
        guard factor > 0, factor.isFinite, ordered[1].factor == factor else {
            throw .unsupported(name, reason: "its axes have two units")
        }
        let order: CRS.AxisOrder = written[0].name == ordered[0].name ? .eastNorth : .northEast
        guard unsafe proj_get_type(plain.pointer) == PJ_TYPE_GEOGRAPHIC_2D_CRS else {
            return (order, .length(meters: factor))
        }
        guard abs(factor * 180 / .pi - 1) < 1e-9 else {
            throw .unsupported(name, reason: "its angles are not measured in degrees")
        }
        return (order, .degree)
    }

    private func isOfEarth(_ plain: Object) -> Bool {
        guard let body = unsafe proj_get_celestial_body_name(context, plain.pointer) else { return true }
        return unsafe String(cString: body) == "Earth"
    }

    private func area(of plain: Object) -> PROJDefinition.Area {
        var west = 0.0, south = 0.0, east = 0.0, north = 0.0
        guard
            unsafe proj_get_area_of_use(context, plain.pointer, &west, &south, &east, &north, nil) != 0,
            west >= -180, east >= -180, south >= -90, north <= 90, south <= north
        else { return PROJDefinition.Area() }
        // An area across the antimeridian ends west of its start.
        let width = east < west ? east - west + 360 : east - west
        return PROJDefinition.Area(
            middle: (west + width / 2).remainder(dividingBy: 360), halfWidth: width / 2, latitudes: south...north)
    }

    /// Returns the longitude of the natural or false origin or of the centre of a projection (EPSG 8802, 8822, 8812,
    /// 8833).
    private func centralMeridian(of plain: Object) -> Double? {
        guard let conversion = unsafe Object(proj_crs_get_coordoperation(context, plain.pointer)) else { return nil }
        for index in unsafe 0..<proj_coordoperation_get_param_count(context, conversion.pointer) {
            var code: UnsafePointer<CChar>?
            var value = 0.0, factor = 0.0
            guard
                unsafe proj_coordoperation_get_param(
                    context, conversion.pointer, index, nil, nil, &code, &value, nil, &factor, nil, nil, nil, nil) != 0,
                let code = unsafe code
            else { continue }
            if unsafe ["8802", "8812", "8822", "8833"].contains(String(cString: code)) {
                return (value * factor * 180 / .pi).remainder(dividingBy: 360)
            }
        }
        return nil
    }

    /// Returns the transform from WGS 84 to a system, or `nil` if PROJ has none.
    func transform(to source: PROJSource) -> PROJTransform? {
        guard let whole = object(of: source), let (target, _) = plane(of: whole),
            let base = unsafe Object(
                proj_create_from_database(context, "EPSG", "4326", PJ_CATEGORY_CRS, 0, nil)),
            let way = unsafe Object(
                proj_create_crs_to_crs_from_pj(context, base.pointer, target.pointer, nil, nil)),
            let normal = unsafe Object(proj_normalize_for_visualization(context, way.pointer))
        else { return nil }
        return PROJTransform(self, normal)
    }
}

/// A transform between WGS 84 and a system, with the context it was created in.
///
/// `@unchecked Sendable`: PROJ objects can move between threads as long as no two use a context at once. Only the
/// transform holds its context, and the pool lends each transform to one call at a time.
@safe final class PROJTransform: @unchecked Sendable {
    // The object is destroyed before its context.
    private var way: PROJContext.Object?
    private let context: PROJContext

    fileprivate init(_ context: PROJContext, _ way: PROJContext.Object) {
        self.context = context
        self.way = way
    }

    deinit { way = nil }

    /// Returns the x east and y north of a longitude and latitude, or `nil` if it cannot be projected.
    func project(_ place: Coordinate) -> Coordinate? { image(of: place, PJ_FWD) }

    /// Returns the longitude and latitude of a coordinate of the system.
    func unproject(_ place: Coordinate) -> Coordinate? { image(of: place, PJ_INV) }

    private func image(of place: Coordinate, _ direction: PJ_DIRECTION) -> Coordinate? {
        guard let way else { return nil }
        // HUGE_VAL means that no time is given.
        let moved = unsafe proj_trans(way.pointer, direction, proj_coord(place.x, place.y, 0, .infinity))
        let image = unsafe Coordinate(x: moved.xy.x, y: moved.xy.y)
        return image.isFinite ? image : nil
    }
}
#endif
