#if os(Linux)
import CJPEGShim
import CPNGShim
import CZlib
#if Text
import CFontconfig
import CFreeType
import CFriBidi
import CHarfBuzz
#endif
#if Images
import CGIF
import CLerc
import CWebP
import CZstandard
#endif
#if Storage
import CSQLite
#endif
#if Drivers
import CCurl
import CDeflate
import CGeodesicShim
import CLibXML2
#endif
#if Redis
import CHiredis
#endif
#if PostGIS
import CPQ
#endif
#if GDAL
import CGDAL
#endif
#if PROJ
import CPROJ
#endif
#if ZBar
import CZBar
#endif
#endif

/// The traits and libraries of a build, as listed by `--version --verbose`.
package enum BuildDescription {
    /// The version of the package.
    package static let version = "0.2.0"

    /// Whether the arguments request the description only.
    package static func isWanted(by arguments: some Collection<String>) -> Bool {
        arguments.count == 2 && Set(arguments) == ["--version", "--verbose"]
    }

    /// The description of a program in lines.
    package static func text(of program: String) -> String {
        let on = traits.filter(\.isBuiltIn).map(\.name), off = traits.filter { !$0.isBuiltIn }.map(\.name)
        func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
        let lines = [
            "\(program) \(version)", "traits: \(list(on))", "disabled traits: \(list(off))",
        ]
        return (lines + libraries.map { "\($0.name) \($0.version)" }).joined(separator: "\n")
    }

    /// The traits of the package, and whether this build has them.
    static var traits: [(name: String, isBuiltIn: Bool)] {
        var names: Set<String> = []
        #if Text
        names.insert("Text")
        #endif
        #if Images
        names.insert("Images")
        #endif
        #if Storage
        names.insert("Storage")
        #endif
        #if Drivers
        names.insert("Drivers")
        #endif
        #if Redis
        names.insert("Redis")
        #endif
        #if GDAL
        names.insert("GDAL")
        #endif
        #if PostGIS
        names.insert("PostGIS")
        #endif
        #if PROJ
        names.insert("PROJ")
        #endif
        #if ZBar
        names.insert("ZBar")
        #endif
        #if Server
        names.insert("Server")
        #endif
        #if Observability
        names.insert("Observability")
        #endif
        return [
            "Text", "Images", "Storage", "Drivers", "Redis", "GDAL", "PostGIS", "PROJ", "ZBar", "Server",
            "Observability",
        ].map { ($0, names.contains($0)) }
    }

    /// The system libraries of this build on Linux, and their versions.
    static var libraries: [(name: String, version: String)] {
        var libraries: [(name: String, version: String)] = []
        #if os(Linux)
        libraries += [
            // The libraries own these constant texts; they are copied.
            ("libpng", unsafe String(cString: portolan_png_version())), ("libjpeg", jpegVersion),
            ("zlib", unsafe String(cString: zlibVersion())),
        ]
        #if Text
        libraries += [
            ("FreeType", "\(FREETYPE_MAJOR).\(FREETYPE_MINOR).\(FREETYPE_PATCH)"),
            ("HarfBuzz", unsafe String(cString: hb_version_string())), ("FriBidi", FRIBIDI_VERSION),
            ("fontconfig", parts(Int(FcGetVersion()), 10_000, 100)),
        ]
        #endif
        #if Images
        libraries += [
            ("libwebp", parts(Int(WebPGetDecoderVersion()), 0x10000, 0x100)),
            ("giflib", "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"),
            ("libzstd", unsafe String(cString: ZSTD_versionString())),
            ("LERC", "\(LERC_VERSION_MAJOR).\(LERC_VERSION_MINOR).\(LERC_VERSION_PATCH)"),
        ]
        #endif
        #if Storage
        libraries.append(("SQLite", unsafe String(cString: sqlite3_libversion())))
        #endif
        #if Drivers
        libraries += [
            ("libcurl", LIBCURL_VERSION), ("libxml2", LIBXML_DOTTED_VERSION), ("libdeflate", LIBDEFLATE_VERSION_STRING),
            ("GeographicLib", unsafe String(cString: portolan_geodesic_version())),
        ]
        #endif
        #if Redis
        libraries.append(("hiredis", "\(HIREDIS_MAJOR).\(HIREDIS_MINOR).\(HIREDIS_PATCH)"))
        #endif
        #if GDAL
        libraries.append(("GDAL", unsafe String(cString: GDALVersionInfo("RELEASE_NAME"))))
        #endif
        #if PostGIS
        libraries.append(("libpq", parts(Int(PQlibVersion()), 10_000, 1)))
        #endif
        #if PROJ
        if let version = unsafe proj_info().version { libraries.append(("PROJ", unsafe String(cString: version))) }
        #endif
        #if ZBar
        var major: CUnsignedInt = 0, minor: CUnsignedInt = 0, patch: CUnsignedInt = 0
        _ = unsafe zbar_version(&major, &minor, &patch)
        libraries.append(("zbar", "\(major).\(minor).\(patch)"))
        #endif
        #endif
        return libraries
    }

    #if os(Linux)
    private static var jpegVersion: String {
        let number = portolan_jpeg_version()
        return number < 1000 ? "\(number)" : parts(number, 1_000_000, 1000)
    }

    /// A version that is one number, as `2001005` for 2.1.5.
    private static func parts(_ number: Int, _ major: Int, _ minor: Int) -> String {
        "\(number / major).\(number % major / minor).\(number % minor)"
    }
    #endif
}
