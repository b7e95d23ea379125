-- 7ck3p8myfr
BEGIN TRANSACTION;
CREATE TABLE drafts (
	table_id VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	text VARCHAR(2000) NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE events (
	table_id VARCHAR(32) NOT NULL, 
	version INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	seat INTEGER, 
	command_id VARCHAR(64), 
	command TEXT NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (table_id, version), 
	UNIQUE (table_id, seat, command_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "events" VALUES('7ck3p8myfr',0,1.79605337850801253314e+09,NULL,NULL,'','{"kind":"opened","spec":"tictactoe:shape=3x3,line=3,misere=false,gravity=false,marks=own,boards=1,exact=false,claim=false","setup":null,"version":"0.1.0","house":{"check":true}}');
INSERT INTO "events" VALUES('7ck3p8myfr',1,1.79605337851201391223e+09,0,'t0','take 0','{"kind":"seated","seat":0,"name":"Player 0","token_hash":"1ba74082dfbe65bdf932b06f5b183e32b27300a85da2839f07bacbef6a7ac23e","level":null}');
INSERT INTO "events" VALUES('7ck3p8myfr',2,1796053378.5161,1,'t1','take 1','{"kind":"seated","seat":1,"name":"Player 1","token_hash":"4d599c10fb8120a076107d9145d62a304fb6f340d75a8239cadb5b4e4c99862a","level":null}');
INSERT INTO "events" VALUES('7ck3p8myfr',3,1.79605337851749944687e+09,0,'m0','play 0 b2','{"kind":"moved","seat":0,"move":"b2","told":[]}');
INSERT INTO "events" VALUES('7ck3p8myfr',4,1.79605337851938247676e+09,1,'m1','play 3 a1','{"kind":"moved","seat":1,"move":"a1","told":[]}');
INSERT INTO "events" VALUES('7ck3p8myfr',5,1.79605337852060294146e+09,0,'m2','play 4 c3','{"kind":"moved","seat":0,"move":"c3","told":[]}');
CREATE TABLE tables (
	id VARCHAR(32) NOT NULL, 
	spec VARCHAR(4000) NOT NULL, 
	version INTEGER NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	to_move INTEGER, 
	due FLOAT, 
	leased_by VARCHAR(64), 
	leased_until FLOAT, 
	opened_at FLOAT NOT NULL, 
	changed_at FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('7ck3p8myfr','tictactoe:shape=3x3,line=3,misere=false,gravity=false,marks=own,boards=1,exact=false,claim=false',5,'running',1,NULL,NULL,NULL,1.79605337850801253314e+09,1.79605337852060294146e+09);
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
COMMIT;
