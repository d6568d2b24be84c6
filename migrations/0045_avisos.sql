-- News that a notification tells of; it goes with them.
alter table notificacoes add column noticia_id integer;
alter table notificacoes add constraint notificacoes__noticia__exists foreign key (noticia_id) references noticias (id) on delete cascade;
create index notificacoes__noticia on notificacoes (noticia_id) where noticia_id is not null;
