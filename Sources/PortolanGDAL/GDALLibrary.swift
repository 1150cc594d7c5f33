#if GDAL
import CGDAL
import PortolanFeatures

/// The library as Portolan calls it: quiet, read only, and off the network.
enum GDALLibrary {
    private static let registration: Void = {
        GDALAllRegister()
        // Blocks of images are kept by the library; twice that many are of use to nobody here. Who sets it knows better.
        if unsafe CPLGetConfigOption("GDAL_CACHEMAX", nil) == nil { GDALSetCacheMax64(64 << 20) }
    }()

    /// What is set for a thread while it is in the library; an application's own settings come back behind it.
    private static let settings = [
        // No statistics, colours or systems are written into files beside those that are read.
        ("GDAL_PAM_ENABLED", "NO"), ("ESRI_XML_PAM", "NO"), ("OGR_SQLITE_JOURNAL", "OFF"),
        // A name inside a file leads to no address.
        ("CPL_VSIL_CURL_ALLOWED_EXTENSIONS", "none"), ("CPL_VSIL_CURL_ALLOWED_FILENAME", "none"),
        ("GDAL_VRT_ENABLE_PYTHON", "NO"), ("GDAL_VRT_ENABLE_RAWRASTERBAND", "NO"),
        // Threads of the library's own would not have these settings.
        ("GDAL_NUM_THREADS", "1"),
        ("GDAL_MAX_DATASET_POOL_SIZE", "16"),
    ]

    /// Runs `work` with the library made ready, its messages kept for ``fault``.
    static func calling<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        _ = registration
        var previous: [String?] = []
        for (key, value) in settings {
            previous.append(unsafe CPLGetThreadLocalConfigOption(key, nil).map { unsafe String(cString: $0) })
            unsafe CPLSetThreadLocalConfigOption(key, value)
        }
        unsafe CPLPushErrorHandler(CPLQuietErrorHandler)
        CPLErrorReset()
        defer {
            CPLPopErrorHandler()
            for ((key, _), value) in zip(settings, previous) { unsafe CPLSetThreadLocalConfigOption(key, value) }
        }
        return try work()
    }

    /// What failed last on this thread, or `nil` where nothing has since ``forget()``.
    static var fault: (isMemory: Bool, words: String)? {
        guard CPLGetLastErrorType() == CE_Failure || CPLGetLastErrorType() == CE_Fatal else { return nil }
        let words = unsafe CPLGetLastErrorMsg().map { unsafe String(cString: $0) } ?? ""
        return (CPLGetLastErrorNo() == CPLE_OutOfMemory, words)
    }

    /// Forgets what has failed.
    static func forget() { CPLErrorReset() }

    /// The version of the library, such as `3.6.2`.
    static var version: String { unsafe String(cString: GDALVersionInfo("RELEASE_NAME")) }
}
#endif
