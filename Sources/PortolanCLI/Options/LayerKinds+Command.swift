package import Portolan
import PortolanCity

#if GDAL
import PortolanGDAL
#endif

extension RendererConfiguration {
    /// The configuration of both commands: the map with all that this package joins with it.
    package static let command: RendererConfiguration = {
        var configuration = RendererConfiguration()
        configuration.layerKinds.kinds += LayerKinds.city.kinds
        #if GDAL
        configuration.addGDAL()
        #endif
        return configuration
    }()
}

extension LayerKinds {
    /// The kinds that both commands know.
    package static let command = RendererConfiguration.command.layerKinds
}

extension LayerSpecification.Parts {
    /// The parts of an argument that is written as a layer of a kind, or `nil` when it is a plain address.
    static func argument(_ text: String) throws(CommandFailure) -> LayerSpecification.Parts? {
        try CommandFailure.layer { () throws(MapError) in try ofKind(text, .command) }
    }
}
