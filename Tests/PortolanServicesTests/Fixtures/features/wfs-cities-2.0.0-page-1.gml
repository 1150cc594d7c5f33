<?xml version='1.0' encoding="UTF-8" ?>
<wfs:FeatureCollection
   xmlns:ms="http://mapserver.gis.umn.edu/mapserver"
   xmlns:gml="http://www.opengis.net/gml/3.2"
   xmlns:wfs="http://www.opengis.net/wfs/2.0"
   xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
   xsi:schemaLocation="http://mapserver.gis.umn.edu/mapserver http://maps.example/gml?SERVICE=WFS&amp;VERSION=2.0.0&amp;REQUEST=DescribeFeatureType&amp;TYPENAME=cities&amp;OUTPUTFORMAT=application%2Fgml%2Bxml%3B%20version%3D3.2 http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd http://www.opengis.net/gml/3.2 http://schemas.opengis.net/gml/3.2.1/gml.xsd"
   timeStamp="2026-11-23T01:42:18" numberMatched="unknown" numberReturned="3"
   next="http://maps.example/gml?SERVICE=WFS&amp;VERSION=2.0.0&amp;REQUEST=GetFeature&amp;TYPENAMES=cities&amp;SRSNAME=urn%3Aogc%3Adef%3Acrs%3AEPSG%3A%3A4326&amp;COUNT=3&amp;BBOX=41%2C28%2C56%2C38%2Curn%3Aogc%3Adef%3Acrs%3AEPSG%3A%3A4326&amp;STARTINDEX=3">
      <wfs:boundedBy>
      	<gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326">
      		<gml:lowerCorner>41.013840 28.949660</gml:lowerCorner>
      		<gml:upperCorner>55.752040 37.617810</gml:upperCorner>
      	</gml:Envelope>
      </wfs:boundedBy>
    <wfs:member>
      <ms:cities gml:id="cities.745044">
        <gml:boundedBy>
        	<gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326">
        		<gml:lowerCorner>41.013840 28.949660</gml:lowerCorner>
        		<gml:upperCorner>41.013840 28.949660</gml:upperCorner>
        	</gml:Envelope>
        </gml:boundedBy>
        <ms:msGeometry>
          <gml:Point gml:id="cities.745044.1" srsName="urn:ogc:def:crs:EPSG::4326">
            <gml:pos>41.013840 28.949660</gml:pos>
          </gml:Point>
        </ms:msGeometry>
        <ms:GEONAMEID>745044</ms:GEONAMEID>
        <ms:NAME>Istanbul</ms:NAME>
        <ms:COUNTRY>TR</ms:COUNTRY>
        <ms:POP>15701602</ms:POP>
        <ms:TZ>Europe/Istanbul</ms:TZ>
      </ms:cities>
    </wfs:member>
    <wfs:member>
      <ms:cities gml:id="cities.524901">
        <gml:boundedBy>
        	<gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326">
        		<gml:lowerCorner>55.752040 37.617810</gml:lowerCorner>
        		<gml:upperCorner>55.752040 37.617810</gml:upperCorner>
        	</gml:Envelope>
        </gml:boundedBy>
        <ms:msGeometry>
          <gml:Point gml:id="cities.524901.1" srsName="urn:ogc:def:crs:EPSG::4326">
            <gml:pos>55.752040 37.617810</gml:pos>
          </gml:Point>
        </ms:msGeometry>
        <ms:GEONAMEID>524901</ms:GEONAMEID>
        <ms:NAME>Moscow</ms:NAME>
        <ms:COUNTRY>RU</ms:COUNTRY>
        <ms:POP>10381222</ms:POP>
        <ms:TZ>Europe/Moscow</ms:TZ>
      </ms:cities>
    </wfs:member>
    <wfs:member>
      <ms:cities gml:id="cities.703448">
        <gml:boundedBy>
        	<gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326">
        		<gml:lowerCorner>50.454660 30.523800</gml:lowerCorner>
        		<gml:upperCorner>50.454660 30.523800</gml:upperCorner>
        	</gml:Envelope>
        </gml:boundedBy>
        <ms:msGeometry>
          <gml:Point gml:id="cities.703448.1" srsName="urn:ogc:def:crs:EPSG::4326">
            <gml:pos>50.454660 30.523800</gml:pos>
          </gml:Point>
        </ms:msGeometry>
        <ms:GEONAMEID>703448</ms:GEONAMEID>
        <ms:NAME>Kyiv</ms:NAME>
        <ms:COUNTRY>UA</ms:COUNTRY>
        <ms:POP>2952301</ms:POP>
        <ms:TZ>Europe/Kyiv</ms:TZ>
      </ms:cities>
    </wfs:member>
</wfs:FeatureCollection>

