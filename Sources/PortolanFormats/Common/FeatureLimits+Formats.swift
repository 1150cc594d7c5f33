import PortolanFeatures
import PortolanRaster

extension FeatureLimits {
    /// Throws if the budget has no room for bytes that are about to be unpacked.
    func lookForRoom(_ byteCount: Int, in format: String) throws(FeatureFileError) {
        do { _ = try memory?.charge(byteCount) } catch {
            throw FeatureFileError(.memory, in: format, "too large to be read: \(error)")
        }
    }
}
