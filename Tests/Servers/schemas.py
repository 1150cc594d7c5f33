"""Says which documents are valid by the OGC's own schemas, which the Python package MapProxy carries.

Reads lines "FORM PATH" and answers each with a line: `valid`, or `invalid` and why. FORM is a version of WMS, or `wmts`
for capabilities and requests of WMTS 1.0.0. Nothing is fetched: a catalogue leads from the addresses that schemas name
to the package's own files.

Not covered: answers about features of WMTS, which need the schema of GML, and what other bodies add to WMS 1.3.0 at its
two points of extension (INSPIRE, MapServer): it is left out before the rest is checked.
"""
import os
import re
import sys
import tempfile
from pathlib import Path

schemas = next(Path(sys.prefix).glob("lib/python*/site-packages/mapproxy/test/schemas"))
WMS, SLD = "{http://www.opengis.net/wms}", "{http://www.opengis.net/sld}"
OGC = "http://schemas.opengis.net/"
catalogue = tempfile.NamedTemporaryFile("w", suffix=".xml")
catalogue.write(
    '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">'
    f'<rewriteSystem systemIdStartString="{OGC}" rewritePrefix="{schemas.as_uri()}/"/>'
    f'<rewriteURI uriStartString="{OGC}" rewritePrefix="{schemas.as_uri()}/"/></catalog>')
catalogue.flush()
os.environ["XML_CATALOG_FILES"] = catalogue.name

from lxml import etree  # noqa: E402  the catalogue must be named before libxml2 begins

TYPES = {
    "1.0.0": "wms/1.0.0/capabilities_1_0_0.dtd",
    "1.1.0": "wms/1.1.0/capabilities_1_1_0.dtd",
    "1.1.1": "wms/1.1.1/WMS_MS_Capabilities.dtd",
}
SCHEMAS = {
    # Operations of SLD stand in the place of extended ones.
    "1.3.0": {
        "http://www.opengis.net/wms": "wms/1.3.0/capabilities_1_3_0.xsd",
        "http://www.opengis.net/sld": "sld/1.1.0/sld_capabilities.xsd"},
    "Capabilities": {"http://www.opengis.net/wmts/1.0": "wmts/1.0/wmtsGetCapabilities_response.xsd"},
    "GetTile": {"http://www.opengis.net/wmts/1.0": "wmts/1.0/wmtsGetTile_request.xsd"},
    "GetFeatureInfo": {"http://www.opengis.net/wmts/1.0": "wmts/1.0/wmtsGetFeatureInfo_request.xsd"},
}
loaded = {}


def schema(name):
    if name not in loaded:
        imports = "".join(
            f'<xs:import namespace="{space}" schemaLocation="{OGC}{path}"/>' for space, path in SCHEMAS[name].items())
        loaded[name] = etree.XMLSchema(etree.fromstring(
            f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">{imports}</xs:schema>'))
    return loaded[name]


def fault_by_type(version, text):
    """What is wrong by the document type of a version; what the document declares itself counts, too."""
    system = (schemas / TYPES[version]).as_uri()
    if b"<!DOCTYPE" in text:
        text = re.sub(rb"(<!DOCTYPE\s+\w+\s+SYSTEM\s+)[\"'][^\"']*[\"']", rb'\1"' + system.encode() + b'"', text, count=1)
    else:
        doctype = f'<!DOCTYPE WMT_MS_Capabilities SYSTEM "{system}">'.encode()
        text = re.sub(rb"^(\s*<\?xml.*?\?>)?", lambda head: head.group() + doctype, text, count=1, flags=re.S)
    etree.fromstring(text, etree.XMLParser(
        no_network=True, load_dtd=True, dtd_validation=True, resolve_entities=True))


def fault(form, path):
    """What is wrong with a document, or None."""
    text = Path(path).read_bytes()
    try:
        if form in TYPES:
            return fault_by_type(form, text)
        document = etree.fromstring(text, etree.XMLParser(no_network=True))
    except etree.XMLSyntaxError as error:
        return str(error)
    for place in document.iter(WMS + "Request", WMS + "Capability"):
        for child in place.iterchildren("{*}*"):
            if not child.tag.startswith((WMS, SLD)):
                place.remove(child)
    judge = schema(form if form in SCHEMAS else etree.QName(document).localname)
    return None if judge.validate(document) else judge.error_log.filter_from_errors()[0].message


for line in sys.stdin:
    form, path = line.rstrip("\n").split(" ", 1)
    why = fault(form, path)
    print("valid" if why is None else "invalid " + " ".join(why.split()), flush=True)
